// A GTK 4 window that is one text view, and a log of what reached it.
#include <gdk/x11/gdkx.h>
#include <gtk/gtk.h>

#include "event_log.h"

namespace {

using fixture::EventLog;

struct Editor {
  fixture::Options options;
  EventLog log;
  fixture::TextLog text;
  GtkWidget* window = nullptr;
  GtkTextBuffer* buffer = nullptr;
  guint timer = 0;
  bool ready = false;
} editor;

std::int64_t whole(unsigned long value) { return static_cast<std::int64_t>(value); }

Display* x_display() { return gdk_x11_display_get_xdisplay(gtk_widget_get_display(editor.window)); }

Window x_window() { return gdk_x11_surface_get_xid(gtk_native_get_surface(GTK_NATIVE(editor.window))); }

void flush_text() {
  GtkTextIter start, end;
  gtk_text_buffer_get_bounds(editor.buffer, &start, &end);
  char* text = gtk_text_buffer_get_text(editor.buffer, &start, &end, TRUE);
  editor.text.flush(editor.log, text);
  g_free(text);
}

gboolean on_timer(gpointer) {
  editor.timer = 0;
  flush_text();
  return G_SOURCE_REMOVE;
}

void on_changed(GtkTextBuffer*, gpointer) {
  if (editor.timer != 0) return;
  const int wait = editor.text.changed();
  if (wait == 0) return flush_text();
  editor.timer = g_timeout_add(static_cast<guint>(wait), on_timer, nullptr);
}

void log_pointer(const char* name, std::int64_t button, GdkEvent* event) {
  double x = 0, y = 0;
  gdk_event_get_position(event, &x, &y);
  // GTK 4 has no root coordinates of its own.
  int left = 0, top = 0;
  Window child = 0;
  XTranslateCoordinates(x_display(), x_window(), DefaultRootWindow(x_display()), 0, 0, &left, &top, &child);
  editor.log.write(name, {{"button", button},
                          {"x", x},
                          {"y", y},
                          {"root_x", x + left},
                          {"root_y", y + top},
                          {"state", whole(gdk_event_get_modifier_state(event))}});
}

gboolean on_event(GtkEventControllerLegacy*, GdkEvent* event, gpointer) {
  switch (gdk_event_get_event_type(event)) {
    case GDK_BUTTON_PRESS: log_pointer("press", gdk_button_event_get_button(event), event); break;
    case GDK_BUTTON_RELEASE: log_pointer("release", gdk_button_event_get_button(event), event); break;
    case GDK_MOTION_NOTIFY:
      if (editor.options.motion) log_pointer("motion", 0, event);
      break;
    case GDK_SCROLL: {
      double dx = 0, dy = 0;
      gdk_scroll_event_get_deltas(event, &dx, &dy);
      editor.log.write("scroll", {{"direction", whole(gdk_scroll_event_get_direction(event))},
                                  {"dx", dx},
                                  {"dy", dy},
                                  {"state", whole(gdk_event_get_modifier_state(event))}});
      break;
    }
    case GDK_KEY_PRESS:
    case GDK_KEY_RELEASE:
      editor.log.write(gdk_event_get_event_type(event) == GDK_KEY_PRESS ? "key" : "key_release",
                       {{"keyval", whole(gdk_key_event_get_keyval(event))},
                        {"keycode", whole(gdk_key_event_get_keycode(event))},
                        {"state", whole(gdk_event_get_modifier_state(event))}});
      break;
    default: break;
  }
  return FALSE;
}

void on_active(GObject* window, GParamSpec*, gpointer) {
  editor.log.write("focus", {{"in", gtk_window_is_active(GTK_WINDOW(window)) != 0}});
}

void on_painted(GdkFrameClock*, gpointer) {
  if (editor.ready) return;
  editor.ready = true;
  // GTK 4 cannot place a window; the window manager obeys a plain configure request.
  if (editor.options.placed) XMoveWindow(x_display(), x_window(), editor.options.x, editor.options.y);
  editor.log.write("ready", {{"window", whole(x_window())}, {"pid", std::int64_t{getpid()}}});
}

void on_realize(GtkWidget* window, gpointer) {
  g_signal_connect(gtk_widget_get_frame_clock(window), "after-paint", G_CALLBACK(on_painted), nullptr);
}

void activate(GtkApplication* application, gpointer) {
  editor.window = gtk_application_window_new(application);
  gtk_window_set_title(GTK_WINDOW(editor.window), editor.options.title.c_str());
  gtk_window_set_default_size(GTK_WINDOW(editor.window), editor.options.width, editor.options.height);

  GtkWidget* scroller = gtk_scrolled_window_new();
  GtkWidget* view = gtk_text_view_new();
  gtk_text_view_set_wrap_mode(GTK_TEXT_VIEW(view), GTK_WRAP_CHAR);
  gtk_scrolled_window_set_child(GTK_SCROLLED_WINDOW(scroller), view);
  gtk_window_set_child(GTK_WINDOW(editor.window), scroller);
  editor.buffer = gtk_text_view_get_buffer(GTK_TEXT_VIEW(view));

  GtkEventController* events = gtk_event_controller_legacy_new();
  gtk_event_controller_set_propagation_phase(events, GTK_PHASE_CAPTURE);
  gtk_widget_add_controller(editor.window, events);
  g_signal_connect(events, "event", G_CALLBACK(on_event), nullptr);
  g_signal_connect(editor.buffer, "changed", G_CALLBACK(on_changed), nullptr);
  g_signal_connect(editor.window, "notify::is-active", G_CALLBACK(on_active), nullptr);
  g_signal_connect(editor.window, "realize", G_CALLBACK(on_realize), nullptr);
  gtk_widget_grab_focus(view);
  gtk_window_present(GTK_WINDOW(editor.window));
}

}  // namespace

int main(int argc, char** argv) {
  editor.options = fixture::parse_options(argc, argv);
  editor.log.open(editor.options.log);
  GtkApplication* application = gtk_application_new(nullptr, G_APPLICATION_NON_UNIQUE);
  g_signal_connect(application, "activate", G_CALLBACK(activate), nullptr);
  const int status = g_application_run(G_APPLICATION(application), 0, nullptr);
  g_object_unref(application);
  editor.log.write("closed");
  return status;
}
