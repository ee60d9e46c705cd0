#include "platform/x11/atoms.h"

#include <array>
#include <string_view>
#include <vector>

#include "platform/x11/connection.h"

namespace handrail::x11 {
namespace {

struct AtomRow {
  xcb_atom_t Atoms::*member;
  std::string_view name;
};

#define HANDRAIL_X11_ATOM_ROW(member, name) AtomRow{&Atoms::member, name},
constexpr std::array kAtoms{HANDRAIL_X11_ATOMS(HANDRAIL_X11_ATOM_ROW)};
#undef HANDRAIL_X11_ATOM_ROW

}  // namespace

Result<Atoms> intern_atoms(Server& server) {
  std::vector<Pending<xcb_intern_atom_reply_t>> pending;
  pending.reserve(kAtoms.size());
  for (const AtomRow& row : kAtoms) {
    pending.push_back(
        server.pend(xcb_intern_atom(server.xcb(), 0, static_cast<std::uint16_t>(row.name.size()), row.name.data()),
                    xcb_intern_atom_reply, "InternAtom"));
  }
  Atoms atoms;
  for (std::size_t i = 0; i < kAtoms.size(); ++i) atoms.*kAtoms[i].member = TRY(pending[i].get())->atom;
  return atoms;
}

}  // namespace handrail::x11
