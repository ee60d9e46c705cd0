// An app without a window that speaks to the accessibility bus itself and makes up its tree as it is asked:
//   tree_bus SHAPE TOOLKIT
// SHAPE: wide (1,000,000 children in a panel), deep (10,000 levels), cyclic (a child is its own grandparent), more
// (says that it has 1,000 children and has 3), fewer (says 3 and lists 100,000), mute (never answers), dying (ends when
// it was asked 200 times), rows (a table that makes its rows as they are asked for), sly (its names change without a
// word), page (3,000 children, of which ten show). Object N is /n/N; "ready" on
// standard output when it listens.
#include <systemd/sd-bus.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

namespace {

constexpr const char* kRoot = "/org/a11y/atspi/accessible/root";
std::string shape, toolkit, own_name;
long asked = 0;

// 0: the root, 1: the frame, 2: the panel, from 3: what is in it.
long number_of(const char* path) {
  return std::strcmp(path, kRoot) == 0 ? 0 : std::strtol(path + std::strlen("/n/"), nullptr, 10);
}
std::string path_of(long number) { return number == 0 ? kRoot : "/n/" + std::to_string(number); }

int told_children(long n) {
  if (n < 2) return 1;
  if (shape == "wide") return n == 2 ? 1'000'000 : 0;
  if (shape == "deep") return n < 10'000 ? 1 : 0;
  if (shape == "cyclic") return n < 4 ? 1 : 2;
  if (shape == "more") return n == 2 ? 1000 : 0;
  if (shape == "fewer") return n == 2 ? 3 : 0;
  if (shape == "rows") return n == 2 ? 1 << 30 : 0;
  if (shape == "sly") return 0;
  if (shape == "page") return n == 2 ? 3000 : 0;
  return n < 1000 ? 1 : 0;
}
long true_children(long n) {
  if (shape == "more" && n == 2) return 3;
  if (shape == "fewer" && n == 2) return 100'000;
  return told_children(n);
}
long child_of(long n, long place) {
  if (shape == "cyclic" && n == 4) return place == 0 ? 2 : 4;
  return n < 2 ? n + 1 : shape == "page" || shape == "wide" || shape == "more" || shape == "fewer" ? 3 + place : n + 1;
}

int reply_object(sd_bus_message* call, long n, long place) {
  const bool there = place >= 0 && place < true_children(n);
  const std::string path = there ? path_of(child_of(n, place)) : "/org/a11y/atspi/null";
  return sd_bus_reply_method_return(call, "(so)", there ? own_name.c_str() : "", path.c_str());
}

int reply_children(sd_bus_message* call, long n) {
  sd_bus_message* reply = nullptr;
  sd_bus_message_new_method_return(call, &reply);
  sd_bus_message_open_container(reply, 'a', "(so)");
  for (long i = 0; i < true_children(n); ++i) {
    sd_bus_message_append(reply, "(so)", own_name.c_str(), path_of(child_of(n, i)).c_str());
  }
  sd_bus_message_close_container(reply);
  const int sent = sd_bus_send(nullptr, reply, nullptr);
  sd_bus_message_unref(reply);
  return sent;
}

bool shows(long n) { return shape != "page" || n <= 2 || (n >= 1003 && n < 1013); }

// What shows, without the root.
int reply_matches(sd_bus_message* call) {
  sd_bus_message* reply = nullptr;
  sd_bus_message_new_method_return(call, &reply);
  sd_bus_message_open_container(reply, 'a', "(so)");
  for (long n = 1; n < 3003; ++n) {
    if (shows(n)) sd_bus_message_append(reply, "(so)", own_name.c_str(), path_of(n).c_str());
  }
  sd_bus_message_close_container(reply);
  const int sent = sd_bus_send(nullptr, reply, nullptr);
  sd_bus_message_unref(reply);
  return sent;
}

int reply_states(sd_bus_message* call, long n) {
  constexpr unsigned kShowing = 1U << 25, kEnabled = 1U << 8, kManages = 1U << 31;
  const unsigned states = (shows(n) ? kShowing : 0) | kEnabled | (shape == "rows" && n == 2 ? kManages : 0);
  return sd_bus_reply_method_return(call, "au", 2, states, 0);
}

int reply_property(sd_bus_message* call, long n, const std::string& name) {
  const std::string text = n == 0 ? "tree_bus" : "Object " + std::to_string(n);
  if (name == "ToolkitName") return sd_bus_reply_method_return(call, "v", "s", toolkit.c_str());
  if (name == "Name") return sd_bus_reply_method_return(call, "v", "s", text.c_str());
  if (name == "Description") return sd_bus_reply_method_return(call, "v", "s", "");
  if (name == "ChildCount") return sd_bus_reply_method_return(call, "v", "i", told_children(n));
  return -ENOENT;
}

int on_call(sd_bus_message* call, void*, sd_bus_error*) {
  const char *member = sd_bus_message_get_member(call), *path = sd_bus_message_get_path(call);
  if (sd_bus_message_is_method_call(call, nullptr, nullptr) <= 0) return 0;
  ++asked;
  if (shape == "mute") return 1;
  if (shape == "dying" && asked > 200) std::_Exit(0);
  const long n = number_of(path);
  const std::string what = member;
  if (what == "Get") {
    const char *interface = nullptr, *name = nullptr;
    sd_bus_message_read(call, "ss", &interface, &name);
    return reply_property(call, n, name);
  }
  if (what == "GetAll") {
    const std::string name = "Object " + std::to_string(shape == "sly" ? asked : n);
    const std::string parent = path_of(n < 3 || shape != "page" ? std::max(0L, n - 1) : 2);
    return sd_bus_reply_method_return(call, "a{sv}", 3, "Name", "s", name.c_str(), "ChildCount", "i", told_children(n),
                                      "Parent", "(so)", own_name.c_str(), parent.c_str());
  }
  if (what == "GetRole") return sd_bus_reply_method_return(call, "u", n == 0 ? 75U : n == 1 ? 23U : n == 2 ? 39U : 43U);
  if (what == "GetState") return reply_states(call, n);
  if (what == "GetChildren") return reply_children(call, n);
  if (what == "GetMatches" && shape == "page") return reply_matches(call);
  if (what == "GetIndexInParent" && shape == "page") {
    return sd_bus_reply_method_return(call, "i", static_cast<int>(n < 3 ? 0 : n - 3));
  }
  if (what == "GetExtents") return sd_bus_reply_method_return(call, "(iiii)", 100, 100, 50, 20);
  if (what == "GetChildAtIndex") {
    int place = 0;
    sd_bus_message_read(call, "i", &place);
    return reply_object(call, n, place);
  }
  // A tree of this size in one message: long before it is there, nobody waits for it any more.
  if (what == "GetItems") return 1;
  return sd_bus_reply_method_errorf(call, SD_BUS_ERROR_UNKNOWN_METHOD, "no %s", member);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) return 2;
  shape = argv[1];
  toolkit = argv[2];
  sd_bus *session = nullptr, *bus = nullptr;
  sd_bus_message* answer = nullptr;
  const char *address = nullptr, *name = nullptr;
  if (sd_bus_open_user(&session) < 0 ||
      sd_bus_call_method(session, "org.a11y.Bus", "/org/a11y/bus", "org.a11y.Bus", "GetAddress", nullptr, &answer, "") <
          0 ||
      sd_bus_message_read(answer, "s", &address) < 0 || sd_bus_new(&bus) < 0 || sd_bus_set_address(bus, address) < 0 ||
      sd_bus_set_bus_client(bus, 1) < 0 || sd_bus_start(bus) < 0 || sd_bus_get_unique_name(bus, &name) < 0 ||
      sd_bus_add_filter(bus, nullptr, on_call, nullptr) < 0) {
    return 1;
  }
  own_name = name;
  std::puts("ready");
  std::fflush(stdout);
  for (;;) {
    const int did = sd_bus_process(bus, nullptr);
    if (did < 0) return 1;
    if (did == 0 && sd_bus_wait(bus, UINT64_MAX) < 0) return 1;
  }
}
