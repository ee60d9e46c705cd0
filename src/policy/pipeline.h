// The two tables of gates, in order. pipeline.cpp is the table of contents of the security model.
#pragma once

#include <span>

#include "policy/facts.h"
#include "policy/verdict.h"

namespace handrail::policy {

std::span<const Gate<AdmissionFacts>> admission_gates();
std::span<const Gate<UseFacts>> time_of_use_gates();

// The strictest verdict of all gates wins, the first of equals.
Ruling judge(const AdmissionFacts& facts);
Ruling judge(const UseFacts& facts);

}  // namespace handrail::policy
