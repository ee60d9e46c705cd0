// A GTK 4 window with an entry, a slider and a scrolled column of buttons.
#include <gdk/x11/gdkx.h>
#include <gtk/gtk.h>

#include "panel.h"

namespace {

struct App {
  fixture::Options options;
  fixture::EventLog log;
  GtkWidget* window = nullptr;
  GtkWidget* column = nullptr;
  GtkWidget* scrolled = nullptr;
  GtkWidget* entry = nullptr;
  GtkWidget* slider = nullptr;
  bool ready = false;
} app;

Display* x_display() { return gdk_x11_display_get_xdisplay(gtk_widget_get_display(app.window)); }
Window x_window() { return gdk_x11_surface_get_xid(gtk_native_get_surface(GTK_NATIVE(app.window))); }

GtkWidget* button_at(int place) {
  GtkWidget* child = gtk_widget_get_first_child(app.column);
  for (; child != nullptr && place > 0; --place) child = gtk_widget_get_next_sibling(child);
  return child;
}

void tell() {
  double shadow_x = 0, shadow_y = 0;
  gtk_native_get_surface_transform(GTK_NATIVE(app.window), &shadow_x, &shadow_y);
  int left = 0, top = 0;
  Window child = 0;
  XTranslateCoordinates(x_display(), x_window(), DefaultRootWindow(x_display()), 0, 0, &left, &top, &child);
  for (int i = 0; GtkWidget* button = button_at(i); ++i) {
    // The box of the content, which is what GTK 4 tells of its widgets.
    double x = 0, y = 0;
    gtk_widget_translate_coordinates(button, app.window, 0, 0, &x, &y);
    fixture::tell_button(app.log, i, gtk_button_get_label(GTK_BUTTON(button)),
                         gtk_widget_get_sensitive(button) != FALSE, static_cast<int>(x + shadow_x) + left,
                         static_cast<int>(y + shadow_y) + top, gtk_widget_get_width(button),
                         gtk_widget_get_height(button));
  }
  app.log.write("told");
}

gboolean on_line(GIOChannel* input, GIOCondition, gpointer) {
  char* line = nullptr;
  gsize end = 0;
  if (g_io_channel_read_line(input, &line, nullptr, &end, nullptr) != G_IO_STATUS_NORMAL) {
    gtk_window_destroy(GTK_WINDOW(app.window));
    return G_SOURCE_REMOVE;
  }
  line[end] = '\0';
  const fixture::Order order = fixture::parse_order(line);
  g_free(line);
  if (order.verb == "add") gtk_box_append(GTK_BOX(app.column), gtk_button_new_with_label(order.text.c_str()));
  if (order.verb == "remove") gtk_box_remove(GTK_BOX(app.column), button_at(order.first));
  if (order.verb == "name") gtk_button_set_label(GTK_BUTTON(button_at(order.first)), order.text.c_str());
  if (order.verb == "enable") gtk_widget_set_sensitive(button_at(order.first), order.second != 0 ? TRUE : FALSE);
  if (order.verb == "move") XMoveWindow(x_display(), x_window(), order.first, order.second);
  if (order.verb == "scroll") {
    gtk_adjustment_set_value(gtk_scrolled_window_get_vadjustment(GTK_SCROLLED_WINDOW(app.scrolled)), order.first);
  }
  if (order.verb == "move") XFlush(x_display());
  if (order.verb == "show") gtk_widget_set_visible(button_at(order.first), order.second != 0 ? TRUE : FALSE);
  if (order.verb == "first") gtk_box_reorder_child_after(GTK_BOX(app.column), button_at(order.first), nullptr);
  if (order.verb == "all") gtk_widget_set_sensitive(app.column, order.first != 0 ? TRUE : FALSE);
  if (order.verb == "text") gtk_editable_set_text(GTK_EDITABLE(app.entry), order.text.c_str());
  if (order.verb == "slide") gtk_range_set_value(GTK_RANGE(app.slider), order.first);
  if (order.verb == "tell") tell();
  return G_SOURCE_CONTINUE;
}

void on_painted(GdkFrameClock*, gpointer) {
  if (app.ready) return;
  app.ready = true;
  // GTK 4 cannot place a window; the window manager obeys a plain configure request.
  if (app.options.placed) XMoveWindow(x_display(), x_window(), app.options.x, app.options.y);
  app.log.write("ready", {{"window", static_cast<std::int64_t>(x_window())}});
}

void activate(GtkApplication* application, gpointer) {
  app.window = gtk_application_window_new(application);
  gtk_window_set_title(GTK_WINDOW(app.window), app.options.title.c_str());
  gtk_window_set_default_size(GTK_WINDOW(app.window), app.options.width, app.options.height);
  GtkWidget* box = gtk_box_new(GTK_ORIENTATION_VERTICAL, 6);
  GtkWidget* entry = app.entry = gtk_entry_new();
  gtk_editable_set_text(GTK_EDITABLE(entry), "some words");
  GtkWidget* slider = app.slider = gtk_scale_new_with_range(GTK_ORIENTATION_HORIZONTAL, 0, 100, 1);
  gtk_range_set_value(GTK_RANGE(slider), 42);
  GtkWidget* secret = gtk_password_entry_new();
  gtk_editable_set_text(GTK_EDITABLE(secret), "canary");
  app.scrolled = gtk_scrolled_window_new();
  gtk_widget_set_vexpand(app.scrolled, TRUE);
  app.column = gtk_box_new(GTK_ORIENTATION_VERTICAL, 4);
  for (int i = 0; i < fixture::kFirstButtons; ++i) {
    gtk_box_append(GTK_BOX(app.column), gtk_button_new_with_label(("Button " + std::to_string(i)).c_str()));
  }
  gtk_scrolled_window_set_child(GTK_SCROLLED_WINDOW(app.scrolled), app.column);
  for (GtkWidget* part : {entry, slider, secret, app.scrolled}) gtk_box_append(GTK_BOX(box), part);
  gtk_window_set_child(GTK_WINDOW(app.window), box);
  g_signal_connect(app.window, "realize", G_CALLBACK(+[](GtkWidget* window, gpointer) {
                     g_signal_connect(gtk_widget_get_frame_clock(window), "after-paint", G_CALLBACK(on_painted),
                                      nullptr);
                   }),
                   nullptr);
  g_io_add_watch(g_io_channel_unix_new(0), static_cast<GIOCondition>(G_IO_IN | G_IO_HUP), on_line, nullptr);
  gtk_window_present(GTK_WINDOW(app.window));
  gtk_widget_grab_focus(entry);
}

}  // namespace

int main(int argc, char** argv) {
  app.options = fixture::parse_options(argc, argv);
  app.log.open(app.options.log);
  GtkApplication* application = gtk_application_new(nullptr, G_APPLICATION_NON_UNIQUE);
  g_signal_connect(application, "activate", G_CALLBACK(activate), nullptr);
  const int status = g_application_run(G_APPLICATION(application), 0, nullptr);
  g_object_unref(application);
  return status;
}
