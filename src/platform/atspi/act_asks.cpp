// The requests that change something. What an app says to them is told; whether it did it is for others to find out.
#include "platform/atspi/act_calls.h"
#include "platform/atspi/requests.h"

namespace handrail::atspi {
namespace {

constexpr const char* kActionInterface = "org.a11y.atspi.Action";
constexpr const char* kSelectionInterface = "org.a11y.atspi.Selection";
constexpr const char* kTableInterface = "org.a11y.atspi.Table";
constexpr const char* kEditableInterface = "org.a11y.atspi.EditableText";

}  // namespace

Told AppCalls::do_action(const std::string& path, int action) {
  return ask(with(call(path, kActionInterface, "DoAction"), "i", action));
}
Told AppCalls::select_child(const std::string& path, int place) {
  return ask(with(call(path, kSelectionInterface, "SelectChild"), "i", place));
}
Told AppCalls::select_row(const std::string& path, int row) {
  return ask(with(call(path, kTableInterface, "AddRowSelection"), "i", row));
}
Told AppCalls::leave_row(const std::string& path, int row) {
  return ask(with(call(path, kTableInterface, "RemoveRowSelection"), "i", row));
}
Told AppCalls::clear_selection(const std::string& path) {
  return ask(call(path, kSelectionInterface, "ClearSelection"));
}
Told AppCalls::set_number(const std::string& path, double number) {
  return ask(
      with(call(path, "org.freedesktop.DBus.Properties", "Set"), "ssv", kValueInterface, "CurrentValue", "d", number));
}
Told AppCalls::set_text(const std::string& path, const std::string& text) {
  return ask(with(call(path, kEditableInterface, "SetTextContents"), "s", text.c_str()));
}
Told AppCalls::insert_text(const std::string& path, int at, const std::string& text, int length) {
  return ask(with(call(path, kEditableInterface, "InsertText"), "isi", at, text.c_str(), length));
}
Told AppCalls::delete_text(const std::string& path, int end) {
  return ask(with(call(path, kEditableInterface, "DeleteText"), "ii", 0, end));
}
Told AppCalls::scroll_to(const std::string& path) {
  constexpr std::uint32_t kAnywhere = 6;
  return ask(with(call(path, kComponentInterface, "ScrollTo"), "u", kAnywhere));
}
Told AppCalls::grab_focus(const std::string& path) { return ask(call(path, kComponentInterface, "GrabFocus")); }

}  // namespace handrail::atspi
