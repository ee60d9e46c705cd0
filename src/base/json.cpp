#include "base/json.h"

#include <cmath>
#include <set>
#include <vector>

namespace handrail {
namespace {

// Builds the value while it watches what the library's own builder lets pass.
class StrictBuilder : public nlohmann::json_sax<Json> {
 public:
  explicit StrictBuilder(std::size_t max_depth) : max_depth_(max_depth) {}

  bool null() override { return put(nullptr); }
  bool boolean(bool value) override { return put(value); }
  bool number_integer(number_integer_t value) override { return put(value); }
  bool number_unsigned(number_unsigned_t value) override { return put(value); }
  bool number_float(number_float_t value, const string_t& text) override {
    if (!std::isfinite(value)) return fail("the number " + text.substr(0, 40) + " is out of range");
    return put(value);
  }
  bool string(string_t& value) override { return put(std::move(value)); }
  bool binary(binary_t&) override { return fail("binary values are not JSON"); }

  bool start_object(std::size_t) override { return open(Json::object()); }
  bool end_object() override { return close(); }
  bool start_array(std::size_t) override { return open(Json::array()); }
  bool end_array() override { return close(); }

  bool key(string_t& name) override {
    if (!keys_.back().insert(name).second) return fail("the field `" + name.substr(0, 80) + "` is given twice");
    name_ = std::move(name);
    return true;
  }

  bool parse_error(std::size_t position, const std::string&, const nlohmann::detail::exception& error) override {
    return fail("invalid JSON at byte " + std::to_string(position) + reason(error.what()));
  }

  Json root;
  std::string failure;

 private:
  bool fail(std::string message) {
    if (failure.empty()) failure = std::move(message);
    return false;
  }

  // Keeps the cause, drops the library's own prefix and any echo of the input.
  static std::string reason(std::string_view what) {
    if (what.find("UTF-8") != std::string_view::npos) return ": the text is not valid UTF-8";
    if (what.find("number overflow") != std::string_view::npos) return ": a number is out of range";
    if (what.find("unexpected end") != std::string_view::npos) return ": the text ends too early";
    return "";
  }

  template <class V>
  bool put(V&& value) {
    if (stack_.empty()) {
      root = std::forward<V>(value);
    } else if (stack_.back()->is_object()) {
      // Keys are known to be new here, so append without the map's linear search.
      auto& object = stack_.back()->get_ref<Json::object_t&>();
      object.Json::object_t::Container::emplace_back(std::move(name_), std::forward<V>(value));
    } else {
      stack_.back()->push_back(std::forward<V>(value));
    }
    return true;
  }

  Json& last() {
    if (stack_.empty()) return root;
    Json& parent = *stack_.back();
    if (parent.is_object()) return parent.get_ref<Json::object_t&>().Json::object_t::Container::back().second;
    return parent.back();
  }

  bool open(Json container) {
    if (stack_.size() >= max_depth_) return fail("nested deeper than " + std::to_string(max_depth_) + " levels");
    put(std::move(container));
    stack_.push_back(&last());
    keys_.emplace_back();
    return true;
  }

  bool close() {
    stack_.pop_back();
    keys_.pop_back();
    return true;
  }

  std::size_t max_depth_;
  // Pointers into `root`: a parent is never resized while a child of it is open.
  std::vector<Json*> stack_;
  std::vector<std::set<std::string, std::less<>>> keys_;
  std::string name_;
};

}  // namespace

Result<Json> parse_json(std::string_view text, std::size_t max_depth) {
  StrictBuilder builder(max_depth);
  try {
    if (Json::sax_parse(text, &builder) && builder.failure.empty()) return std::move(builder.root);
  } catch (const std::exception& error) {
    builder.failure = error.what();
  }
  if (builder.failure.empty()) builder.failure = "invalid JSON";
  return make_error(Code::protocol, "The text is not acceptable JSON: " + builder.failure + ".");
}

std::string to_line(const Json& value) { return value.dump(-1, ' ', false, Json::error_handler_t::replace); }

std::string to_pretty(const Json& value) { return value.dump(2, ' ', false, Json::error_handler_t::replace) + "\n"; }

}  // namespace handrail
