// A GTK 3 window that is one text view, and a log of what reached it.
#include <gdk/gdkx.h>
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

void log_pointer(const char* name, std::int64_t button, double root_x, double root_y, guint state) {
  int left = 0, top = 0;
  gdk_window_get_origin(gtk_widget_get_window(editor.window), &left, &top);
  editor.log.write(name, {{"button", button},
                          {"x", root_x - left},
                          {"y", root_y - top},
                          {"root_x", root_x},
                          {"root_y", root_y},
                          {"state", whole(state)}});
}

void log_event(const GdkEvent* event) {
  switch (event->type) {
    case GDK_BUTTON_PRESS:
    case GDK_BUTTON_RELEASE: {
      const GdkEventButton& b = event->button;
      log_pointer(b.type == GDK_BUTTON_PRESS ? "press" : "release", b.button, b.x_root, b.y_root, b.state);
      break;
    }
    case GDK_MOTION_NOTIFY:
      if (!editor.options.motion) break;
      log_pointer("motion", 0, event->motion.x_root, event->motion.y_root, event->motion.state);
      break;
    case GDK_SCROLL: {
      double dx = 0, dy = 0;
      gdk_event_get_scroll_deltas(event, &dx, &dy);
      editor.log.write("scroll", {{"direction", whole(event->scroll.direction)},
                                  {"dx", dx},
                                  {"dy", dy},
                                  {"root_x", event->scroll.x_root},
                                  {"root_y", event->scroll.y_root},
                                  {"state", whole(event->scroll.state)}});
      break;
    }
    case GDK_KEY_PRESS:
    case GDK_KEY_RELEASE:
      editor.log.write(event->type == GDK_KEY_PRESS ? "key" : "key_release",
                       {{"keyval", whole(event->key.keyval)},
                        {"keycode", whole(event->key.hardware_keycode)},
                        {"state", whole(event->key.state)}});
      break;
    case GDK_FOCUS_CHANGE: editor.log.write("focus", {{"in", event->focus_change.in != 0}}); break;
    default: break;
  }
}

// Every event of the process passes here before any widget sees it.
void on_event(GdkEvent* event, gpointer) {
  log_event(event);
  gtk_main_do_event(event);
}

gboolean on_draw(GtkWidget* widget, cairo_t*, gpointer) {
  if (editor.ready) return FALSE;
  editor.ready = true;
  editor.log.write("ready", {{"window", whole(gdk_x11_window_get_xid(gtk_widget_get_window(widget)))},
                             {"pid", std::int64_t{getpid()}}});
  return FALSE;
}

}  // namespace

int main(int argc, char** argv) {
  gtk_init(nullptr, nullptr);
  editor.options = fixture::parse_options(argc, argv);
  editor.log.open(editor.options.log);

  editor.window = gtk_window_new(GTK_WINDOW_TOPLEVEL);
  gtk_window_set_title(GTK_WINDOW(editor.window), editor.options.title.c_str());
  gtk_window_set_default_size(GTK_WINDOW(editor.window), editor.options.width, editor.options.height);
  if (editor.options.placed) gtk_window_move(GTK_WINDOW(editor.window), editor.options.x, editor.options.y);

  GtkWidget* scroller = gtk_scrolled_window_new(nullptr, nullptr);
  GtkWidget* view = gtk_text_view_new();
  gtk_text_view_set_wrap_mode(GTK_TEXT_VIEW(view), GTK_WRAP_CHAR);
  gtk_container_add(GTK_CONTAINER(scroller), view);
  gtk_container_add(GTK_CONTAINER(editor.window), scroller);
  editor.buffer = gtk_text_view_get_buffer(GTK_TEXT_VIEW(view));

  g_signal_connect(editor.buffer, "changed", G_CALLBACK(on_changed), nullptr);
  g_signal_connect(editor.window, "draw", G_CALLBACK(on_draw), nullptr);
  g_signal_connect(editor.window, "destroy", G_CALLBACK(gtk_main_quit), nullptr);
  gdk_event_handler_set(on_event, nullptr, nullptr);
  gtk_widget_grab_focus(view);
  gtk_widget_show_all(editor.window);
  gtk_main();
  editor.log.write("closed");
  return 0;
}
