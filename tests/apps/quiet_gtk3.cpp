// A GTK 3 window with what looks like it does something and does not: a button that nobody listens to, one that is
// disabled, a toggle button that springs back, a label that counts by itself, and a password entry.
// Orders: `clock` lets the label count, `tell` logs `told`.
#include <gdk/gdkx.h>
#include <gtk/gtk.h>

#include "widgets.h"
#include "window_gtk3.h"

namespace {

constexpr guint kTick = 60;     // milliseconds
constexpr guint kSpring = 100;  // milliseconds

struct App {
  fixture::EventLog log;
  GtkWidget* clock = nullptr;
  bool ready = false;
} app;

GtkWidget* add(GtkWidget* box, GtkWidget* widget) {
  gtk_box_pack_start(GTK_BOX(box), widget, FALSE, FALSE, 0);
  return widget;
}

void on_clicked(GtkButton* button, gpointer) { fixture::did(app.log, "press", gtk_button_get_label(button)); }

gboolean on_spring(gpointer button) {
  gtk_toggle_button_set_active(GTK_TOGGLE_BUTTON(button), FALSE);
  return G_SOURCE_REMOVE;
}

// As calculators do it: what counts is that it goes down.
void on_toggled(GtkToggleButton* button, gpointer) {
  if (gtk_toggle_button_get_active(button) == FALSE) return;
  fixture::did(app.log, "digit", "7");
  g_timeout_add(kSpring, on_spring, button);
}

gboolean on_tick(gpointer) {
  static int count = 0;
  gtk_label_set_text(GTK_LABEL(app.clock), ("tick " + std::to_string(++count)).c_str());
  return G_SOURCE_CONTINUE;
}

gboolean on_line(GIOChannel* input, GIOCondition, gpointer) {
  const auto line = fixture::next_order(input);
  if (!line) return G_SOURCE_REMOVE;
  if (*line == "clock") g_timeout_add(kTick, on_tick, nullptr);
  app.log.write("told");
  return G_SOURCE_CONTINUE;
}

void on_event(GdkEvent* event, gpointer) {
  if (event->type == GDK_KEY_PRESS) app.log.write("key", {{"keyval", std::int64_t{event->key.keyval}}});
  if (event->type == GDK_BUTTON_PRESS) app.log.write("press");
  gtk_main_do_event(event);
}

}  // namespace

int main(int argc, char** argv) {
  gtk_init(nullptr, nullptr);
  const fixture::Options options = fixture::parse_options(argc, argv);
  app.log.open(options.log);
  GtkWidget* window = fixture::make_window(options);
  GtkWidget* box = gtk_box_new(GTK_ORIENTATION_VERTICAL, 4);
  app.clock = add(box, gtk_label_new("clock"));
  add(box, gtk_button_new_with_label("Dead"));
  GtkWidget* live = add(box, gtk_button_new_with_label("Live"));
  g_signal_connect(live, "clicked", G_CALLBACK(on_clicked), nullptr);
  gtk_widget_set_sensitive(add(box, gtk_button_new_with_label("Disabled")), FALSE);
  GtkWidget* digit = add(box, gtk_toggle_button_new_with_label("7"));
  g_signal_connect(digit, "toggled", G_CALLBACK(on_toggled), nullptr);
  GtkWidget* secret = add(box, gtk_entry_new());
  gtk_entry_set_visibility(GTK_ENTRY(secret), FALSE);
  atk_object_set_name(gtk_widget_get_accessible(secret), "Secret");
  g_signal_connect(secret, "changed",
                   G_CALLBACK(+[](GtkEntry* it, gpointer) { fixture::did(app.log, "secret", gtk_entry_get_text(it)); }),
                   nullptr);
  gtk_container_add(GTK_CONTAINER(window), box);
  g_signal_connect(window, "destroy", G_CALLBACK(gtk_main_quit), nullptr);
  g_signal_connect_after(window, "draw", G_CALLBACK(+[](GtkWidget* drawn, cairo_t*, gpointer) -> gboolean {
                           if (app.ready) return FALSE;
                           app.ready = true;
                           const auto id = gdk_x11_window_get_xid(gtk_widget_get_window(drawn));
                           app.log.write("ready", {{"window", static_cast<std::int64_t>(id)}});
                           return FALSE;
                         }),
                         nullptr);
  g_io_add_watch(g_io_channel_unix_new(0), static_cast<GIOCondition>(G_IO_IN | G_IO_HUP), on_line, nullptr);
  gdk_event_handler_set(on_event, nullptr, nullptr);
  gtk_widget_show_all(window);
  gtk_main();
  return 0;
}
