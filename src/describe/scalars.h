// The parts of decoding and of schemas that do not depend on a type, so that they are compiled once.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/json.h"
#include "describe/fields.h"

namespace handrail::describe {

// How a value is written on a command line.
enum class Kind { boolean, integer, number, text, choice, list, point, points, region, json };

std::string join_place(const std::string& place, std::string_view name);

Result<bool> read_bool(const Json& value, const std::string& place);
Result<int> read_int(const Json& value, const std::string& place, const Limits& limits);
Result<std::int64_t> read_int64(const Json& value, const std::string& place, const Limits& limits);
Result<double> read_number(const Json& value, const std::string& place, const Limits& limits);
// Limits count characters, not bytes.
Result<std::string> read_text(const Json& value, const std::string& place, const Limits& limits);
Result<Json> read_object(const Json& value, const std::string& place);
// The index of the choice.
Result<std::size_t> read_choice(const Json& value, const std::string& place,
                                const std::vector<std::string_view>& choices);
// `count` finite numbers.
Result<std::vector<double>> read_numbers(const Json& value, const std::string& place, std::size_t count,
                                         std::string_view expected);

Status check_list(const Json& value, const std::string& place, const Limits& limits);
// An object with no other fields than `names` and all of `needed`.
Status check_object(const Json& value, const std::string& place, const std::vector<std::string_view>& names,
                    const std::vector<std::string_view>& needed, std::string_view example = {});

Json number_schema(std::string_view type, const Limits& limits);
Json text_schema(const Limits& limits);
Json choice_schema(const std::vector<std::string_view>& choices);
Json list_schema(Json items, const Limits& limits);
Json object_schema(Json properties, const std::vector<std::string_view>& needed);

}  // namespace handrail::describe
