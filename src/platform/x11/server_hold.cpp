#include "platform/x11/server_hold.h"

#include <utility>

#include "platform/x11/display_claim.h"

namespace handrail::x11 {

ServerHold::ServerHold(Server& server, Custody* custody) : server_(&server), custody_(custody) {
  // Before the request goes out: stopped right behind it, we would hold up everybody for good.
  if (custody_ != nullptr) custody_->grabbing(true);
  xcb_grab_server(server_->xcb());
}

ServerHold::ServerHold(ServerHold&& other) noexcept
    : server_(std::exchange(other.server_, nullptr)), custody_(other.custody_) {}

ServerHold::~ServerHold() {
  if (server_ == nullptr) return;
  xcb_ungrab_server(server_->xcb());
  xcb_flush(server_->xcb());
  if (custody_ != nullptr) custody_->grabbing(false);
}

Result<ServerHold> ServerHold::take(Server& server, Custody* custody, DisplayClaim* claim) {
  ServerHold hold(server, custody);
  if (claim != nullptr) TRY(claim->check(server));
  return hold;
}

}  // namespace handrail::x11
