// A GTK 3 window with an entry, a slider and a scrolled column of buttons.
#include <gdk/gdkx.h>
#include <gtk/gtk.h>

#include "panel.h"
#include "window_gtk3.h"

namespace {

struct App {
  fixture::EventLog log;
  GtkWidget* window = nullptr;
  GtkWidget* column = nullptr;
  GtkWidget* scrolled = nullptr;
  GtkWidget* entry = nullptr;
  GtkWidget* slider = nullptr;
} app;

GtkWidget* button_at(int place) {
  GList* children = gtk_container_get_children(GTK_CONTAINER(app.column));
  auto* found = static_cast<GtkWidget*>(g_list_nth_data(children, static_cast<guint>(place)));
  g_list_free(children);
  return found;
}

void add(const char* name) {
  GtkWidget* button = gtk_button_new_with_label(name);
  gtk_box_pack_start(GTK_BOX(app.column), button, FALSE, FALSE, 0);
  gtk_widget_show(button);
}

void tell() {
  for (int i = 0; GtkWidget* button = button_at(i); ++i) {
    int x = 0, y = 0, left = 0, top = 0;
    gtk_widget_translate_coordinates(button, app.window, 0, 0, &x, &y);
    gdk_window_get_origin(gtk_widget_get_window(app.window), &left, &top);
    fixture::tell_button(app.log, i, gtk_button_get_label(GTK_BUTTON(button)),
                         gtk_widget_get_sensitive(button) != FALSE, x + left, y + top,
                         gtk_widget_get_allocated_width(button), gtk_widget_get_allocated_height(button));
  }
  app.log.write("told");
}

gboolean on_line(GIOChannel* input, GIOCondition, gpointer) {
  const auto line = fixture::next_order(input);
  if (!line) return G_SOURCE_REMOVE;
  const fixture::Order order = fixture::parse_order(*line);
  if (order.verb == "add") add(order.text.c_str());
  if (order.verb == "remove") gtk_widget_destroy(button_at(order.first));
  if (order.verb == "name") gtk_button_set_label(GTK_BUTTON(button_at(order.first)), order.text.c_str());
  if (order.verb == "enable") gtk_widget_set_sensitive(button_at(order.first), order.second != 0 ? TRUE : FALSE);
  if (order.verb == "move") gtk_window_move(GTK_WINDOW(app.window), order.first, order.second);
  if (order.verb == "scroll") {
    gtk_adjustment_set_value(gtk_scrolled_window_get_vadjustment(GTK_SCROLLED_WINDOW(app.scrolled)), order.first);
  }
  if (order.verb == "show") gtk_widget_set_visible(button_at(order.first), order.second != 0 ? TRUE : FALSE);
  if (order.verb == "first") gtk_box_reorder_child(GTK_BOX(app.column), button_at(order.first), 0);
  if (order.verb == "all") gtk_widget_set_sensitive(app.column, order.first != 0 ? TRUE : FALSE);
  if (order.verb == "text") gtk_entry_set_text(GTK_ENTRY(app.entry), order.text.c_str());
  if (order.verb == "slide") gtk_range_set_value(GTK_RANGE(app.slider), order.first);
  if (order.verb == "tell") tell();
  return G_SOURCE_CONTINUE;
}

}  // namespace

int main(int argc, char** argv) {
  gtk_init(nullptr, nullptr);
  const fixture::Options options = fixture::parse_options(argc, argv);
  app.log.open(options.log);
  app.window = fixture::make_window(options);
  if (options.csd) gtk_window_set_titlebar(GTK_WINDOW(app.window), gtk_header_bar_new());
  GtkWidget* box = gtk_box_new(GTK_ORIENTATION_VERTICAL, 6);
  GtkWidget* entry = app.entry = gtk_entry_new();
  gtk_entry_set_text(GTK_ENTRY(entry), "some words");
  GtkWidget* slider = app.slider = gtk_scale_new_with_range(GTK_ORIENTATION_HORIZONTAL, 0, 100, 1);
  gtk_range_set_value(GTK_RANGE(slider), 42);
  GtkWidget* secret = gtk_entry_new();
  gtk_entry_set_visibility(GTK_ENTRY(secret), FALSE);
  gtk_entry_set_input_purpose(GTK_ENTRY(secret), GTK_INPUT_PURPOSE_PASSWORD);
  gtk_entry_set_text(GTK_ENTRY(secret), "canary");
  app.scrolled = gtk_scrolled_window_new(nullptr, nullptr);
  app.column = gtk_box_new(GTK_ORIENTATION_VERTICAL, 4);
  for (int i = 0; i < fixture::kFirstButtons; ++i) add(("Button " + std::to_string(i)).c_str());
  gtk_container_add(GTK_CONTAINER(app.scrolled), app.column);
  gtk_box_pack_start(GTK_BOX(box), entry, FALSE, FALSE, 0);
  gtk_box_pack_start(GTK_BOX(box), slider, FALSE, FALSE, 0);
  gtk_box_pack_start(GTK_BOX(box), secret, FALSE, FALSE, 0);
  gtk_box_pack_start(GTK_BOX(box), app.scrolled, TRUE, TRUE, 0);
  gtk_container_add(GTK_CONTAINER(app.window), box);
  g_signal_connect(app.window, "destroy", G_CALLBACK(gtk_main_quit), nullptr);
  g_signal_connect_after(app.window, "draw", G_CALLBACK(+[](GtkWidget* window, cairo_t*, gpointer) -> gboolean {
                           static bool ready = false;
                           if (ready) return FALSE;
                           ready = true;
                           const auto id = gdk_x11_window_get_xid(gtk_widget_get_window(window));
                           app.log.write("ready", {{"window", static_cast<std::int64_t>(id)}});
                           return FALSE;
                         }),
                         nullptr);
  g_io_add_watch(g_io_channel_unix_new(0), static_cast<GIOCondition>(G_IO_IN | G_IO_HUP), on_line, nullptr);
  gtk_widget_show_all(app.window);
  gtk_widget_grab_focus(entry);
  gtk_main();
  return 0;
}
