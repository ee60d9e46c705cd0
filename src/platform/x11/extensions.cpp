#include "platform/x11/extensions.h"

#include <xcb/composite.h>
#include <xcb/damage.h>
#include <xcb/randr.h>
#include <xcb/record.h>
#include <xcb/res.h>
#include <xcb/shape.h>
#include <xcb/shm.h>
#include <xcb/xfixes.h>
#include <xcb/xinput.h>
#include <xcb/xtest.h>
// This header has a member named `explicit`.
#ifdef __clang__
#pragma clang diagnostic ignored "-Wkeyword-macro"
#endif
#define explicit explicit_
#include <xcb/xkb.h>
#undef explicit

#include <array>
#include <functional>

#include "platform/x11/connection.h"

namespace handrail::x11 {
namespace {

struct Version {
  std::uint32_t major = 0;
  std::uint32_t minor = 0;
};
using ReadVersion = std::function<Result<Version>()>;

// Sends a version request now and reads its reply later. The replies differ only in their fields.
template <class Cookie, class Reply, class MajorField, class MinorField>
ReadVersion asked(Server& server, Cookie cookie, Reply* (*fetch)(xcb_connection_t*, Cookie, xcb_generic_error_t**),
                  MajorField Reply::*major, MinorField Reply::*minor) {
  auto pending = std::make_shared<Pending<Reply>>(server.pend(cookie, fetch, "QueryVersion"));
  return [pending, major, minor]() -> Result<Version> {
    const auto reply = TRY(pending->get());
    return Version{(*reply).*major, (*reply).*minor};
  };
}

struct ExtensionRow {
  Extension Extensions::*member;
  xcb_extension_t* id;
  ReadVersion (*ask)(Server&);
};

#define HANDRAIL_X11_ASK(reply, major, minor, request) \
  [](Server& server) { return asked(server, request, reply##_reply, &reply##_reply_t::major, &reply##_reply_t::minor); }

const std::array kExtensions{
    ExtensionRow{
        &Extensions::xtest, &xcb_test_id,
        HANDRAIL_X11_ASK(xcb_test_get_version, major_version, minor_version, xcb_test_get_version(server.xcb(), 2, 2))},
    ExtensionRow{
        &Extensions::shm, &xcb_shm_id,
        HANDRAIL_X11_ASK(xcb_shm_query_version, major_version, minor_version, xcb_shm_query_version(server.xcb()))},
    ExtensionRow{&Extensions::randr, &xcb_randr_id,
                 HANDRAIL_X11_ASK(xcb_randr_query_version, major_version, minor_version,
                                  xcb_randr_query_version(server.xcb(), 1, 5))},
    ExtensionRow{&Extensions::composite, &xcb_composite_id,
                 HANDRAIL_X11_ASK(xcb_composite_query_version, major_version, minor_version,
                                  xcb_composite_query_version(server.xcb(), 0, 4))},
    ExtensionRow{&Extensions::damage, &xcb_damage_id,
                 HANDRAIL_X11_ASK(xcb_damage_query_version, major_version, minor_version,
                                  xcb_damage_query_version(server.xcb(), 1, 1))},
    ExtensionRow{&Extensions::xfixes, &xcb_xfixes_id,
                 HANDRAIL_X11_ASK(xcb_xfixes_query_version, major_version, minor_version,
                                  xcb_xfixes_query_version(server.xcb(), 5, 0))},
    ExtensionRow{
        &Extensions::xkb, &xcb_xkb_id,
        HANDRAIL_X11_ASK(xcb_xkb_use_extension, serverMajor, serverMinor, xcb_xkb_use_extension(server.xcb(), 1, 0))},
    ExtensionRow{
        &Extensions::res, &xcb_res_id,
        HANDRAIL_X11_ASK(xcb_res_query_version, server_major, server_minor, xcb_res_query_version(server.xcb(), 1, 2))},
    ExtensionRow{&Extensions::xinput, &xcb_input_id,
                 HANDRAIL_X11_ASK(xcb_input_xi_query_version, major_version, minor_version,
                                  xcb_input_xi_query_version(server.xcb(), 2, 2))},
    ExtensionRow{
        &Extensions::shape, &xcb_shape_id,
        HANDRAIL_X11_ASK(xcb_shape_query_version, major_version, minor_version, xcb_shape_query_version(server.xcb()))},
    ExtensionRow{&Extensions::record, &xcb_record_id,
                 HANDRAIL_X11_ASK(xcb_record_query_version, major_version, minor_version,
                                  xcb_record_query_version(server.xcb(), 1, 13))},
};
#undef HANDRAIL_X11_ASK

}  // namespace

Result<Extensions> query_extensions(Server& server) {
  for (const ExtensionRow& row : kExtensions) xcb_prefetch_extension_data(server.xcb(), row.id);
  // xcb reads extension data without a deadline of ours; behind the fence it is there already.
  TRY(server.fence());

  Extensions extensions;
  std::array<ReadVersion, kExtensions.size()> versions;
  for (std::size_t i = 0; i < kExtensions.size(); ++i) {
    const xcb_query_extension_reply_t* data = xcb_get_extension_data(server.xcb(), kExtensions[i].id);
    if (data == nullptr || data->present == 0) continue;
    Extension& extension = extensions.*kExtensions[i].member;
    extension.major_opcode = data->major_opcode;
    extension.first_event = data->first_event;
    extension.first_error = data->first_error;
    versions[i] = kExtensions[i].ask(server);
  }
  for (std::size_t i = 0; i < kExtensions.size(); ++i) {
    if (!versions[i]) continue;
    const Version version = TRY(versions[i]());
    (extensions.*kExtensions[i].member).major = version.major;
    (extensions.*kExtensions[i].member).minor = version.minor;
  }
  return extensions;
}

}  // namespace handrail::x11
