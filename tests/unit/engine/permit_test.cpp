// Going round the gates must not compile: a permit comes from the pipeline or not at all.
#include <gtest/gtest.h>

#include <type_traits>

#include "engine/permit_mint.h"
#include "model/permit.h"

namespace handrail {

static_assert(!std::is_default_constructible_v<Permit>);
static_assert(!std::is_aggregate_v<Permit>);
static_assert(!std::is_copy_constructible_v<Permit>);
static_assert(!std::is_assignable_v<Permit&, Permit>);

template <class Mint>
concept OpenMint = requires {
  Mint::mint();
};
static_assert(!OpenMint<engine::PermitMint>);

TEST(Permit, moves_but_is_made_by_the_pipeline_only) { EXPECT_TRUE(std::is_move_constructible_v<Permit>); }

}  // namespace handrail
