// A GTK 3 window with a plain entry and a password entry.
#include <gdk/gdkx.h>
#include <glib-unix.h>
#include <gtk/gtk.h>

#include "event_log.h"

namespace {

struct App {
  fixture::Options options;
  fixture::EventLog log;
  GtkWidget* window = nullptr;
  GtkWidget* plain = nullptr;
  GtkWidget* secret = nullptr;
  GdkRectangle last{};
  bool ready = false;
} app;

gboolean on_draw(GtkWidget* widget, cairo_t*, gpointer) {
  if (!app.ready) {
    app.ready = true;
    app.log.write("ready",
                  {{"window", static_cast<std::int64_t>(gdk_x11_window_get_xid(gtk_widget_get_window(widget)))},
                   {"pid", std::int64_t{getpid()}}});
  }
  return FALSE;
}

gboolean on_secret_drawn(GtkWidget* secret, cairo_t*, gpointer) {
  GtkAllocation inside;
  gtk_widget_get_allocation(secret, &inside);
  int left = 0, top = 0;
  gdk_window_get_origin(gtk_widget_get_window(app.window), &left, &top);
  const GdkRectangle now{inside.x + left, inside.y + top, inside.width, inside.height};
  if (gdk_rectangle_equal(&now, &app.last)) return FALSE;
  app.last = now;
  app.log.write("field", {{"x", std::int64_t{now.x}},
                          {"y", std::int64_t{now.y}},
                          {"width", std::int64_t{now.width}},
                          {"height", std::int64_t{now.height}}});
  return FALSE;
}

gboolean on_configure(GtkWidget*, GdkEvent*, gpointer) {
  gtk_widget_queue_draw(app.window);
  return FALSE;
}

gboolean on_toggle(gpointer) {
  const bool show = gtk_widget_get_visible(app.secret) == FALSE;
  gtk_widget_set_visible(app.secret, show ? TRUE : FALSE);
  app.log.write(show ? "shown" : "gone");
  return G_SOURCE_CONTINUE;
}

gboolean on_flap(gpointer) {
  gtk_widget_set_visible(app.secret, gtk_widget_get_visible(app.secret) == FALSE ? TRUE : FALSE);
  return G_SOURCE_CONTINUE;
}

void on_typed(GtkEditable*, gpointer) {
  app.log.write("typed", {{"length", std::int64_t{gtk_entry_get_text_length(GTK_ENTRY(app.secret))}}});
}

gboolean on_focus(gpointer) {
  const bool to_secret = gtk_widget_is_focus(app.secret) == FALSE;
  gtk_widget_grab_focus(to_secret ? app.secret : app.plain);
  app.log.write("focus_on", {{"secret", to_secret}});
  return G_SOURCE_CONTINUE;
}

}  // namespace

int main(int argc, char** argv) {
  gtk_init(nullptr, nullptr);
  app.options = fixture::parse_options(argc, argv);
  app.log.open(app.options.log);
  app.window = gtk_window_new(GTK_WINDOW_TOPLEVEL);
  gtk_window_set_title(GTK_WINDOW(app.window), app.options.title.c_str());
  gtk_window_set_default_size(GTK_WINDOW(app.window), app.options.width, app.options.height);
  if (app.options.placed) gtk_window_move(GTK_WINDOW(app.window), app.options.x, app.options.y);

  if (app.options.csd) gtk_window_set_titlebar(GTK_WINDOW(app.window), gtk_header_bar_new());

  GtkWidget* box = gtk_box_new(GTK_ORIENTATION_VERTICAL, 12);
  app.plain = gtk_entry_new();
  app.secret = gtk_entry_new();
  gtk_entry_set_visibility(GTK_ENTRY(app.secret), FALSE);
  gtk_entry_set_input_purpose(GTK_ENTRY(app.secret), GTK_INPUT_PURPOSE_PASSWORD);
  gtk_entry_set_text(GTK_ENTRY(app.secret), "canary");
  gtk_box_pack_start(GTK_BOX(box), app.plain, FALSE, FALSE, 0);
  gtk_box_pack_start(GTK_BOX(box), app.secret, FALSE, FALSE, 0);
  gtk_container_add(GTK_CONTAINER(app.window), box);
  GtkCssProvider* css = gtk_css_provider_new();
  gtk_css_provider_load_from_data(css, "entry { background: #fe01ba; }", -1, nullptr);
  gtk_style_context_add_provider(gtk_widget_get_style_context(app.secret), GTK_STYLE_PROVIDER(css),
                                 GTK_STYLE_PROVIDER_PRIORITY_APPLICATION);

  g_signal_connect(app.window, "draw", G_CALLBACK(on_draw), nullptr);
  g_signal_connect(app.window, "configure-event", G_CALLBACK(on_configure), nullptr);
  g_signal_connect_after(app.secret, "draw", G_CALLBACK(on_secret_drawn), nullptr);
  g_signal_connect(app.secret, "changed", G_CALLBACK(on_typed), nullptr);
  g_signal_connect(app.window, "destroy", G_CALLBACK(gtk_main_quit), nullptr);
  g_unix_signal_add(SIGUSR1, on_toggle, nullptr);
  g_unix_signal_add(SIGUSR2, on_focus, nullptr);
  if (app.options.flap > 0) g_timeout_add(static_cast<guint>(app.options.flap), on_flap, nullptr);
  gtk_widget_show_all(app.window);
  gtk_widget_grab_focus(app.secret);
  gtk_main();
  app.log.write("closed");
  return 0;
}
