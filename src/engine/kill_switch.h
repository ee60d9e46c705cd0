// The owner's off switch. Checked by the gates before an act and, through its token, between any two
// events of one.
#pragma once

#include <mutex>
#include <stop_token>
#include <string>

namespace handrail::engine {

class KillSwitch {
 public:
  // `because` completes "Handrail is switched off: …".
  void stop(std::string because);
  void resume();
  bool stopped() const;
  std::string because() const;
  // Fires on the next stop(); a token taken while stopped has fired already.
  std::stop_token token() const;

 private:
  mutable std::mutex mutex_;
  std::stop_source source_;
  std::string because_;
};

}  // namespace handrail::engine
