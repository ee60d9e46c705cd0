// The atoms that this backend uses, interned together when a connection opens. To use another one,
// add a row: member name, X name.
#pragma once

#include <xcb/xcb.h>

#include "base/result.h"

#define HANDRAIL_X11_ATOMS(ROW)                                    \
  ROW(utf8_string, "UTF8_STRING")                                  \
  /* ICCCM */                                                      \
  ROW(wm_state, "WM_STATE")                                        \
  ROW(wm_change_state, "WM_CHANGE_STATE")                          \
  ROW(wm_protocols, "WM_PROTOCOLS")                                \
  ROW(wm_delete_window, "WM_DELETE_WINDOW")                        \
  ROW(wm_take_focus, "WM_TAKE_FOCUS")                              \
  /* EWMH */                                                       \
  ROW(net_supported, "_NET_SUPPORTED")                             \
  ROW(net_supporting_wm_check, "_NET_SUPPORTING_WM_CHECK")         \
  ROW(net_client_list, "_NET_CLIENT_LIST")                         \
  ROW(net_client_list_stacking, "_NET_CLIENT_LIST_STACKING")       \
  ROW(net_active_window, "_NET_ACTIVE_WINDOW")                     \
  ROW(net_close_window, "_NET_CLOSE_WINDOW")                       \
  ROW(net_moveresize_window, "_NET_MOVERESIZE_WINDOW")             \
  ROW(net_current_desktop, "_NET_CURRENT_DESKTOP")                 \
  ROW(net_number_of_desktops, "_NET_NUMBER_OF_DESKTOPS")           \
  ROW(net_desktop_names, "_NET_DESKTOP_NAMES")                     \
  ROW(net_restack_window, "_NET_RESTACK_WINDOW")                   \
  ROW(net_request_frame_extents, "_NET_REQUEST_FRAME_EXTENTS")     \
  ROW(net_frame_extents, "_NET_FRAME_EXTENTS")                     \
  ROW(net_wm_name, "_NET_WM_NAME")                                 \
  ROW(net_wm_desktop, "_NET_WM_DESKTOP")                           \
  ROW(net_wm_state, "_NET_WM_STATE")                               \
  ROW(net_wm_state_hidden, "_NET_WM_STATE_HIDDEN")                 \
  ROW(net_wm_state_fullscreen, "_NET_WM_STATE_FULLSCREEN")         \
  ROW(net_wm_state_maximized_vert, "_NET_WM_STATE_MAXIMIZED_VERT") \
  ROW(net_wm_state_maximized_horz, "_NET_WM_STATE_MAXIMIZED_HORZ") \
  ROW(net_wm_window_type, "_NET_WM_WINDOW_TYPE")                   \
  ROW(net_wm_window_type_dock, "_NET_WM_WINDOW_TYPE_DOCK")         \
  ROW(net_wm_window_type_tooltip, "_NET_WM_WINDOW_TYPE_TOOLTIP")   \
  ROW(net_wm_window_type_desktop, "_NET_WM_WINDOW_TYPE_DESKTOP")   \
  ROW(net_wm_ping, "_NET_WM_PING")                                 \
  ROW(gtk_frame_extents, "_GTK_FRAME_EXTENTS")                     \
  /* selections */                                                 \
  ROW(clipboard, "CLIPBOARD")                                      \
  ROW(targets, "TARGETS")                                          \
  ROW(timestamp, "TIMESTAMP")                                      \
  ROW(multiple, "MULTIPLE")                                        \
  ROW(save_targets, "SAVE_TARGETS")                                \
  ROW(incr, "INCR")                                                \
  ROW(text, "TEXT")                                                \
  ROW(text_plain, "text/plain")                                    \
  ROW(text_plain_utf8, "text/plain;charset=utf-8")                 \
  ROW(handrail_selection, "_HANDRAIL_SELECTION")                   \
  ROW(handrail_claim, "_HANDRAIL_CLAIM")                           \
  /* input devices */                                              \
  ROW(xtest_device, "XTEST Device")

namespace handrail::x11 {

class Server;

struct Atoms {
#define HANDRAIL_X11_ATOM_MEMBER(member, name) xcb_atom_t member = XCB_ATOM_NONE;
  HANDRAIL_X11_ATOMS(HANDRAIL_X11_ATOM_MEMBER)
#undef HANDRAIL_X11_ATOM_MEMBER
};

// One round trip for all of them.
Result<Atoms> intern_atoms(Server& server);

}  // namespace handrail::x11
