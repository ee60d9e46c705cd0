// A GTK 4 window with a plain entry and a password entry.
#include <gdk/x11/gdkx.h>
#include <glib-unix.h>
#include <gtk/gtk.h>

#include <cstring>

#include "event_log.h"

namespace {

struct App {
  fixture::Options options;
  fixture::EventLog log;
  GtkWidget* window = nullptr;
  GtkWidget* plain = nullptr;
  GtkWidget* secret = nullptr;
  GtkWidget* rows = nullptr;
  std::int64_t last[4] = {-1, -1, -1, -1};
  bool ready = false;
} app;

Display* x_display() { return gdk_x11_display_get_xdisplay(gtk_widget_get_display(app.window)); }
Window x_window() { return gdk_x11_surface_get_xid(gtk_native_get_surface(GTK_NATIVE(app.window))); }

// Where the entry is drawn: GTK 4 has no root coordinates of its own.
void tell_field() {
  graphene_rect_t box;
  if (gtk_widget_get_mapped(app.secret) == FALSE || gtk_widget_compute_bounds(app.secret, app.window, &box) == FALSE) {
    return;
  }
  double shadow_x = 0, shadow_y = 0;
  gtk_native_get_surface_transform(GTK_NATIVE(app.window), &shadow_x, &shadow_y);
  int left = 0, top = 0;
  Window child = 0;
  XTranslateCoordinates(x_display(), x_window(), DefaultRootWindow(x_display()), 0, 0, &left, &top, &child);
  const std::int64_t now[4] = {static_cast<std::int64_t>(box.origin.x + shadow_x) + left,
                               static_cast<std::int64_t>(box.origin.y + shadow_y) + top,
                               static_cast<std::int64_t>(box.size.width), static_cast<std::int64_t>(box.size.height)};
  if (std::equal(now, now + 4, app.last)) return;
  std::copy(now, now + 4, app.last);
  app.log.write("field", {{"x", now[0]}, {"y", now[1]}, {"width", now[2]}, {"height", now[3]}});
}

void on_painted(GdkFrameClock*, gpointer) {
  if (!app.ready) {
    app.ready = true;
    // GTK 4 cannot place a window; the window manager obeys a plain configure request.
    if (app.options.placed) XMoveWindow(x_display(), x_window(), app.options.x, app.options.y);
    app.log.write("ready", {{"window", static_cast<std::int64_t>(x_window())}, {"pid", std::int64_t{getpid()}}});
  }
  tell_field();
}

void on_realize(GtkWidget* window, gpointer) {
  g_signal_connect(gtk_widget_get_frame_clock(window), "after-paint", G_CALLBACK(on_painted), nullptr);
}

gboolean on_moved(gpointer) {
  tell_field();
  return G_SOURCE_CONTINUE;
}

gboolean on_flap(gpointer) {
  gtk_widget_set_visible(app.secret, gtk_widget_get_visible(app.secret) == FALSE ? TRUE : FALSE);
  return G_SOURCE_CONTINUE;
}

gboolean on_busy(gpointer) {
  constexpr int kMost = 200;
  static int count = 0;
  if (++count > kMost) gtk_list_box_remove(GTK_LIST_BOX(app.rows), gtk_widget_get_first_child(app.rows));
  gtk_list_box_append(GTK_LIST_BOX(app.rows), gtk_label_new("row"));
  return G_SOURCE_CONTINUE;
}

gboolean on_toggle(gpointer) {
  on_flap(nullptr);
  app.log.write(gtk_widget_get_visible(app.secret) == FALSE ? "gone" : "shown");
  return G_SOURCE_CONTINUE;
}

gboolean on_focus(gpointer) {
  static bool to_secret = true;  // where the focus is from the start
  to_secret = !to_secret;
  gtk_widget_grab_focus(to_secret ? app.secret : app.plain);
  app.log.write("focus_on", {{"secret", to_secret}});
  return G_SOURCE_CONTINUE;
}

void on_typed(GtkEditable* secret, gpointer) {
  app.log.write("typed", {{"length", static_cast<std::int64_t>(std::strlen(gtk_editable_get_text(secret)))}});
}

void activate(GtkApplication* application, gpointer) {
  app.window = gtk_application_window_new(application);
  gtk_window_set_title(GTK_WINDOW(app.window), app.options.title.c_str());
  gtk_window_set_default_size(GTK_WINDOW(app.window), app.options.width, app.options.height);
  if (app.options.csd) gtk_window_set_titlebar(GTK_WINDOW(app.window), gtk_header_bar_new());
  GtkWidget* box = gtk_box_new(GTK_ORIENTATION_VERTICAL, 12);
  app.plain = gtk_entry_new();
  app.secret = gtk_password_entry_new();
  gtk_editable_set_text(GTK_EDITABLE(app.secret), "canary");
  gtk_box_append(GTK_BOX(box), app.plain);
  gtk_box_append(GTK_BOX(box), app.secret);
  if (app.options.busy > 0) {
    GtkWidget* scrolled = gtk_scrolled_window_new();
    app.rows = gtk_list_box_new();
    gtk_widget_set_vexpand(scrolled, TRUE);
    gtk_scrolled_window_set_child(GTK_SCROLLED_WINDOW(scrolled), app.rows);
    gtk_box_append(GTK_BOX(box), scrolled);
    g_timeout_add(static_cast<guint>(app.options.busy), on_busy, nullptr);
  }
  gtk_window_set_child(GTK_WINDOW(app.window), box);
  GtkCssProvider* css = gtk_css_provider_new();
  gtk_css_provider_load_from_data(css, "entry.password { background: #fe01ba; }", -1);
  gtk_style_context_add_provider_for_display(gtk_widget_get_display(app.window), GTK_STYLE_PROVIDER(css),
                                             GTK_STYLE_PROVIDER_PRIORITY_APPLICATION);
  g_signal_connect(app.secret, "changed", G_CALLBACK(on_typed), nullptr);
  g_signal_connect(app.window, "realize", G_CALLBACK(on_realize), nullptr);
  g_unix_signal_add(SIGUSR1, on_toggle, nullptr);
  g_unix_signal_add(SIGUSR2, on_focus, nullptr);
  // A move draws nothing anew.
  g_timeout_add(20, on_moved, nullptr);
  if (app.options.flap > 0) g_timeout_add(static_cast<guint>(app.options.flap), on_flap, nullptr);
  gtk_window_present(GTK_WINDOW(app.window));
  gtk_widget_grab_focus(app.secret);
}

}  // namespace

int main(int argc, char** argv) {
  app.options = fixture::parse_options(argc, argv);
  app.log.open(app.options.log);
  GtkApplication* application = gtk_application_new(nullptr, G_APPLICATION_NON_UNIQUE);
  g_signal_connect(application, "activate", G_CALLBACK(activate), nullptr);
  const int status = g_application_run(G_APPLICATION(application), 0, nullptr);
  g_object_unref(application);
  app.log.write("closed");
  return status;
}
