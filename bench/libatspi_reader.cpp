// The whole tree of one process by libatspi: role, name, states, extents. bench_libatspi PID ROUNDS prints one JSON
// line a round. It shares nothing with Handrail.
#include <atspi/atspi.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>

namespace {

long visit(AtspiAccessible* node, int depth) {
  atspi_accessible_get_role(node, nullptr);
  g_free(atspi_accessible_get_name(node, nullptr));
  AtspiStateSet* states = atspi_accessible_get_state_set(node);
  const bool makes = atspi_state_set_contains(states, ATSPI_STATE_MANAGES_DESCENDANTS) != FALSE;
  g_object_unref(states);
  if (AtspiComponent* component = atspi_accessible_get_component_iface(node)) {
    g_free(atspi_component_get_extents(component, ATSPI_COORD_TYPE_SCREEN, nullptr));
    g_object_unref(component);
  }
  long count = 1;
  const int children = depth < 100 && !makes ? atspi_accessible_get_child_count(node, nullptr) : 0;
  for (int i = 0; i < children; ++i) {
    AtspiAccessible* child = atspi_accessible_get_child_at_index(node, i, nullptr);
    if (child == nullptr) continue;
    count += visit(child, depth + 1);
    g_object_unref(child);
  }
  return count;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) return 2;
  const unsigned pid = static_cast<unsigned>(std::atol(argv[1]));
  atspi_init();
  AtspiAccessible* desktop = atspi_get_desktop(0);
  const int apps = atspi_accessible_get_child_count(desktop, nullptr);
  for (int i = 0; i < apps; ++i) {
    AtspiAccessible* app = atspi_accessible_get_child_at_index(desktop, i, nullptr);
    if (app == nullptr || atspi_accessible_get_process_id(app, nullptr) != pid) continue;
    for (int round = 0; round < std::atoi(argv[2]); ++round) {
      atspi_accessible_clear_cache(app);
      const auto start = std::chrono::steady_clock::now();
      const long nodes = visit(app, 0) - 1;
      const std::chrono::duration<double, std::milli> took = std::chrono::steady_clock::now() - start;
      std::printf("{\"nodes\": %ld, \"whole\": %.3f}\n", nodes, took.count());
    }
    return 0;
  }
  return 1;
}
