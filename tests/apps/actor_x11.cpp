// The app that an agent may use in security tests: one plain window that logs what it receives, with `activated` for a
// click that went down and came up inside it. Copied under other names to be other apps.
#include "x_fixture.h"

int main(int argc, char** argv) {
  fixture::XWindow window(fixture::parse_window_options(argc, argv));
  window.run();
  return 0;
}
