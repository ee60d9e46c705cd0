// A GTK 4 window with one widget of each kind, and a log of what became of them.
#include <gdk/x11/gdkx.h>
#include <gtk/gtk.h>

#include "lists_gtk4.h"

namespace {

struct App {
  fixture::Options options;
  fixture::EventLog log;
  GtkWidget* window = nullptr;
  GtkWidget* box = nullptr;
  GtkWidget* buttons = nullptr;
  bool ready = false;
} app;

Display* x_display() { return gdk_x11_display_get_xdisplay(gtk_widget_get_display(app.window)); }
Window x_window() { return gdk_x11_surface_get_xid(gtk_native_get_surface(GTK_NATIVE(app.window))); }

void on_clicked(GtkButton* button, gpointer) { fixture::did(app.log, "press", gtk_button_get_label(button)); }

void named(GtkWidget* widget, const char* name) {
  gtk_accessible_update_property(GTK_ACCESSIBLE(widget), GTK_ACCESSIBLE_PROPERTY_LABEL, name, -1);
}

void add(GtkWidget* widget) { gtk_box_append(GTK_BOX(app.box), widget); }

GtkWidget* button_at(int place) {
  GtkWidget* child = gtk_widget_get_first_child(app.buttons);
  for (; child != nullptr && place > 0; --place) child = gtk_widget_get_next_sibling(child);
  return child;
}

GtkWidget* add_button(const char* name) {
  GtkWidget* button = gtk_button_new_with_label(name);
  g_signal_connect(button, "clicked", G_CALLBACK(on_clicked), nullptr);
  gtk_box_append(GTK_BOX(app.buttons), button);
  return button;
}

void add_action(const char* name, const char* label) {
  GSimpleAction* action = g_simple_action_new(name, nullptr);
  g_signal_connect_data(
      action, "activate", G_CALLBACK(+[](GSimpleAction*, GVariant*, gpointer text) {
        fixture::did(app.log, "menu", static_cast<const char*>(text));
      }),
      g_strdup(label), [](gpointer text, GClosure*) { g_free(text); }, G_CONNECT_DEFAULT);
  g_action_map_add_action(G_ACTION_MAP(app.window), G_ACTION(action));
  if (std::string(name) == "paste") g_simple_action_set_enabled(action, FALSE);
  g_object_unref(action);
}

void add_menus() {
  struct Item {
    const char *name, *label;
  };
  GMenu *bar = g_menu_new(), *file = g_menu_new(), *recent = g_menu_new(), *edit = g_menu_new();
  const auto append = [](GMenu* menu, const Item& item) {
    add_action(item.name, item.label);
    g_menu_append(menu, item.label, (std::string("win.") + item.name).c_str());
  };
  append(file, {"new", "_New"});
  append(file, {"open", "_Open…"});
  append(recent, {"first", "First"});
  append(recent, {"second", "Second"});
  g_menu_append_submenu(file, "_Recent", G_MENU_MODEL(recent));
  append(edit, {"copy", "_Copy"});
  append(edit, {"paste", "_Paste"});
  g_menu_append_submenu(bar, "_File", G_MENU_MODEL(file));
  g_menu_append_submenu(bar, "_Edit", G_MENU_MODEL(edit));
  add(gtk_popover_menu_bar_new_from_model(G_MENU_MODEL(bar)));
  GtkWidget* button = gtk_menu_button_new();
  gtk_menu_button_set_label(GTK_MENU_BUTTON(button), "Tools");
  gtk_menu_button_set_menu_model(GTK_MENU_BUTTON(button), G_MENU_MODEL(recent));
  add(button);
}

void add_buttons() {
  app.buttons = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 4);
  for (int i = 0; i < fixture::kWidgetButtons; ++i) add_button(("Button " + std::to_string(i)).c_str());
  add(app.buttons);
  GtkWidget* check = gtk_check_button_new_with_label("Check");
  g_signal_connect(check, "toggled", G_CALLBACK(+[](GtkCheckButton* button, gpointer) {
                     fixture::did(app.log, "check", gtk_check_button_get_active(button) != FALSE);
                   }),
                   nullptr);
  add(check);
  GtkWidget* toggle = gtk_switch_new();
  named(toggle, "Switch");
  gtk_widget_set_halign(toggle, GTK_ALIGN_START);
  g_signal_connect(toggle, "notify::active", G_CALLBACK(+[](GtkSwitch* it, GParamSpec*, gpointer) {
                     fixture::did(app.log, "switch", gtk_switch_get_active(it) != FALSE);
                   }),
                   nullptr);
  add(toggle);
}

void add_texts() {
  GtkWidget* entry = gtk_entry_new();
  named(entry, "Entry");
  gtk_editable_set_text(GTK_EDITABLE(entry), "some words");
  g_signal_connect(entry, "changed", G_CALLBACK(+[](GtkEditable* it, gpointer) {
                     fixture::did(app.log, "entry", gtk_editable_get_text(it));
                   }),
                   nullptr);
  add(entry);
  GtkWidget* view = gtk_text_view_new();
  named(view, "View");
  g_signal_connect(gtk_text_view_get_buffer(GTK_TEXT_VIEW(view)), "changed",
                   G_CALLBACK(+[](GtkTextBuffer* buffer, gpointer) {
                     GtkTextIter start;
                     GtkTextIter end;
                     gtk_text_buffer_get_bounds(buffer, &start, &end);
                     char* text = gtk_text_buffer_get_text(buffer, &start, &end, TRUE);
                     fixture::did(app.log, "view", text);
                     g_free(text);
                   }),
                   nullptr);
  add(view);
}

void add_values() {
  GtkWidget* combo = gtk_combo_box_text_new();
  named(combo, "Combo");
  for (const char* option : fixture::kOptions) gtk_combo_box_text_append_text(GTK_COMBO_BOX_TEXT(combo), option);
  gtk_combo_box_set_active(GTK_COMBO_BOX(combo), 0);
  g_signal_connect(combo, "changed", G_CALLBACK(+[](GtkComboBoxText* it, gpointer) {
                     char* text = gtk_combo_box_text_get_active_text(it);
                     fixture::did(app.log, "combo", text != nullptr ? text : "");
                     g_free(text);
                   }),
                   nullptr);
  add(combo);
  const char* options[] = {fixture::kOptions[0], fixture::kOptions[1], fixture::kOptions[2], nullptr};
  GtkWidget* drop = gtk_drop_down_new_from_strings(options);
  named(drop, "Drop");
  g_signal_connect(drop, "notify::selected", G_CALLBACK(+[](GtkDropDown* it, GParamSpec*, gpointer) {
                     fixture::did(app.log, "drop", fixture::kOptions[gtk_drop_down_get_selected(it)]);
                   }),
                   nullptr);
  add(drop);
  GtkWidget* slider = gtk_scale_new_with_range(GTK_ORIENTATION_HORIZONTAL, 0, 100, 1);
  named(slider, "Slider");
  g_signal_connect(
      slider, "value-changed",
      G_CALLBACK(+[](GtkRange* it, gpointer) { fixture::did(app.log, "slider", gtk_range_get_value(it)); }), nullptr);
  add(slider);
  GtkWidget* spin = gtk_spin_button_new_with_range(0, 50, 1);
  named(spin, "Spin");
  g_signal_connect(spin, "value-changed", G_CALLBACK(+[](GtkSpinButton* it, gpointer) {
                     fixture::did(app.log, "spin", gtk_spin_button_get_value(it));
                   }),
                   nullptr);
  add(spin);
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
  GtkWidget* button = button_at(order.first);
  GtkBox* buttons = GTK_BOX(app.buttons);
  if (order.verb == "remove") gtk_box_remove(buttons, button);
  if (order.verb == "name") gtk_button_set_label(GTK_BUTTON(button), order.text.c_str());
  if (order.verb == "last") gtk_box_reorder_child_after(buttons, button, gtk_widget_get_last_child(app.buttons));
  if (order.verb == "add") add_button(order.text.c_str());
  if (order.verb == "replace") {
    const std::string name = gtk_button_get_label(GTK_BUTTON(button));
    GtkWidget* before = gtk_widget_get_prev_sibling(button);
    gtk_box_remove(buttons, button);
    gtk_box_reorder_child_after(buttons, add_button(name.c_str()), before);
  }
  if (order.verb == "tell") app.log.write("told");
  return G_SOURCE_CONTINUE;
}

void on_painted(GdkFrameClock*, gpointer) {
  if (app.ready) return;
  app.ready = true;
  // GTK 4 cannot place a window; the window manager obeys a plain configure request.
  if (app.options.placed) XMoveWindow(x_display(), x_window(), app.options.x, app.options.y);
  app.log.write("ready", {{"window", static_cast<std::int64_t>(x_window())}});
}

// Of every surface, menus included.
gboolean on_event(GSignalInvocationHint*, guint, const GValue* values, gpointer) {
  auto* event = static_cast<GdkEvent*>(g_value_peek_pointer(&values[1]));
  const GdkEventType type = gdk_event_get_event_type(event);
  if (type == GDK_KEY_PRESS) app.log.write("key", {{"keyval", std::int64_t{gdk_key_event_get_keyval(event)}}});
  if (type == GDK_FOCUS_CHANGE) app.log.write("focus", {{"in", gdk_focus_event_get_in(event) != FALSE}});
  return TRUE;
}

void activate(GtkApplication* application, gpointer) {
  app.window = gtk_application_window_new(application);
  gtk_window_set_title(GTK_WINDOW(app.window), app.options.title.c_str());
  gtk_window_set_default_size(GTK_WINDOW(app.window), app.options.width, app.options.height);
  app.box = gtk_box_new(GTK_ORIENTATION_VERTICAL, 4);
  add_menus();
  add_buttons();
  add_texts();
  add_values();
  add(fixture::make_lists(app.log));
  add(fixture::make_trees(app.log));
  GtkWidget* status = gtk_label_new("ready");
  add(status);
  fixture::show_did = [status](const std::string& text) { gtk_label_set_text(GTK_LABEL(status), text.c_str()); };
  gtk_window_set_child(GTK_WINDOW(app.window), app.box);
  g_signal_connect(app.window, "realize", G_CALLBACK(+[](GtkWidget* window, gpointer) {
                     g_signal_connect(gtk_widget_get_frame_clock(window), "after-paint", G_CALLBACK(on_painted),
                                      nullptr);
                   }),
                   nullptr);
  g_io_add_watch(g_io_channel_unix_new(0), static_cast<GIOCondition>(G_IO_IN | G_IO_HUP), on_line, nullptr);
  g_type_ensure(GDK_TYPE_SURFACE);
  g_signal_add_emission_hook(g_signal_lookup("event", GDK_TYPE_SURFACE), 0, on_event, nullptr, nullptr);
  gtk_window_present(GTK_WINDOW(app.window));
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
