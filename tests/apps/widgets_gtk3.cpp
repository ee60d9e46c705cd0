// A GTK 3 window with one widget of each kind, and a log of what became of them.
#include <gdk/gdkx.h>
#include <gtk/gtk.h>

#include <utility>
#include <vector>

#include "lists_gtk3.h"
#include "window_gtk3.h"

namespace {

struct App {
  fixture::EventLog log;
  GtkWidget* window = nullptr;
  GtkWidget* box = nullptr;
  GtkWidget* buttons = nullptr;
  std::vector<std::pair<std::string, GtkWidget*>> known;  // besides the buttons
  bool ready = false;
} app;

void on_clicked(GtkButton* button, gpointer) { fixture::did(app.log, "press", gtk_button_get_label(button)); }

void named(GtkWidget* widget, const char* name) { atk_object_set_name(gtk_widget_get_accessible(widget), name); }

void add(GtkWidget* widget) { gtk_box_pack_start(GTK_BOX(app.box), widget, FALSE, FALSE, 0); }

GtkWidget* button_at(int place) {
  GList* children = gtk_container_get_children(GTK_CONTAINER(app.buttons));
  auto* found = static_cast<GtkWidget*>(g_list_nth_data(children, static_cast<guint>(place)));
  g_list_free(children);
  return found;
}

GtkWidget* add_button(const char* name) {
  GtkWidget* button = gtk_button_new_with_label(name);
  g_signal_connect(button, "clicked", G_CALLBACK(on_clicked), nullptr);
  gtk_box_pack_start(GTK_BOX(app.buttons), button, FALSE, FALSE, 0);
  gtk_widget_show(button);
  return button;
}

void on_item(GtkMenuItem* item, gpointer) { fixture::did(app.log, "menu", gtk_menu_item_get_label(item)); }

GtkWidget* add_item(GtkWidget* menu, const char* label) {
  GtkWidget* item = gtk_menu_item_new_with_mnemonic(label);
  g_signal_connect(item, "activate", G_CALLBACK(on_item), nullptr);
  gtk_menu_shell_append(GTK_MENU_SHELL(menu), item);
  return item;
}

GtkWidget* add_menu(GtkWidget* above, const char* label) {
  GtkWidget *item = gtk_menu_item_new_with_mnemonic(label), *menu = gtk_menu_new();
  gtk_menu_item_set_submenu(GTK_MENU_ITEM(item), menu);
  gtk_menu_shell_append(GTK_MENU_SHELL(above), item);
  return menu;
}

void add_menus() {
  GtkWidget* bar = gtk_menu_bar_new();
  GtkWidget* file = add_menu(bar, "_File");
  add_item(file, "_New");
  add_item(file, "_Open…");
  GtkWidget* recent = add_menu(file, "_Recent");
  add_item(recent, "First");
  add_item(recent, "Second");
  add_item(file, "_Quit");
  GtkWidget* edit = add_menu(bar, "_Edit");
  add_item(edit, "_Copy");
  gtk_widget_set_sensitive(add_item(edit, "_Paste"), FALSE);
  add(bar);
  GtkWidget *button = gtk_menu_button_new(), *tools = gtk_menu_new();
  gtk_button_set_label(GTK_BUTTON(button), "Tools");
  add_item(tools, "Hammer");
  gtk_widget_show_all(tools);
  gtk_menu_button_set_popup(GTK_MENU_BUTTON(button), tools);
  add(button);
}

void add_buttons() {
  app.buttons = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 4);
  for (int i = 0; i < fixture::kWidgetButtons; ++i) add_button(("Button " + std::to_string(i)).c_str());
  add(app.buttons);
  GtkWidget* ask = gtk_button_new_with_label("Ask");
  g_signal_connect(ask, "clicked", G_CALLBACK(+[](GtkButton*, gpointer) {
                     GtkWidget* dialog = gtk_message_dialog_new(GTK_WINDOW(app.window), GTK_DIALOG_MODAL,
                                                                GTK_MESSAGE_QUESTION, GTK_BUTTONS_OK, "Really?");
                     gtk_window_set_accept_focus(GTK_WINDOW(dialog), FALSE);
                     fixture::did(app.log, "asked");
                     gtk_dialog_run(GTK_DIALOG(dialog));
                     gtk_widget_destroy(dialog);
                   }),
                   nullptr);
  add(ask);
  GtkWidget* paste = gtk_button_new_with_label("Paste");
  g_signal_connect(paste, "clicked", G_CALLBACK(+[](GtkButton*, gpointer) {
                     gtk_clipboard_request_text(
                         gtk_clipboard_get(GDK_SELECTION_CLIPBOARD),
                         [](GtkClipboard*, const char* text, gpointer) {
                           fixture::did(app.log, "paste", text == nullptr ? "" : text);
                         },
                         nullptr);
                   }),
                   nullptr);
  add(paste);
  GtkWidget* check = gtk_check_button_new_with_label("Check");
  g_signal_connect(check, "toggled", G_CALLBACK(+[](GtkToggleButton* button, gpointer) {
                     fixture::did(app.log, "check", gtk_toggle_button_get_active(button) != FALSE);
                   }),
                   nullptr);
  add(check);
  app.known.emplace_back("Check", check);
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
  gtk_entry_set_text(GTK_ENTRY(entry), "some words");
  g_signal_connect(entry, "changed",
                   G_CALLBACK(+[](GtkEntry* it, gpointer) { fixture::did(app.log, "entry", gtk_entry_get_text(it)); }),
                   nullptr);
  add(entry);
  app.known.emplace_back("Entry", entry);
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

void tell_places() {
  auto known = app.known;
  for (int i = 0; GtkWidget* button = button_at(i); ++i) {
    known.emplace_back(gtk_button_get_label(GTK_BUTTON(button)), button);
  }
  int left = 0, top = 0;
  gdk_window_get_origin(gtk_widget_get_window(app.window), &left, &top);
  for (const auto& [name, widget] : known) {
    int x = 0, y = 0;
    gtk_widget_translate_coordinates(widget, app.window, 0, 0, &x, &y);
    fixture::tell_button(app.log, 0, name.c_str(), true, x + left, y + top, gtk_widget_get_allocated_width(widget),
                         gtk_widget_get_allocated_height(widget));
  }
}

gboolean on_line(GIOChannel* input, GIOCondition, gpointer) {
  const auto line = fixture::next_order(input);
  if (!line) return G_SOURCE_REMOVE;
  const fixture::Order order = fixture::parse_order(*line);
  GtkWidget* button = button_at(order.first);
  if (order.verb == "remove") gtk_widget_destroy(button);
  if (order.verb == "name") gtk_button_set_label(GTK_BUTTON(button), order.text.c_str());
  if (order.verb == "last") gtk_box_reorder_child(GTK_BOX(app.buttons), button, -1);
  if (order.verb == "add") add_button(order.text.c_str());
  if (order.verb == "replace") {
    const std::string name = gtk_button_get_label(GTK_BUTTON(button));
    gtk_widget_destroy(button);
    gtk_box_reorder_child(GTK_BOX(app.buttons), add_button(name.c_str()), order.first);
  }
  if (order.verb == "where") tell_places();
  if (order.verb == "tell" || order.verb == "where") app.log.write("told");
  return G_SOURCE_CONTINUE;
}

// Every event of the process passes here before any widget sees it.
void on_event(GdkEvent* event, gpointer) {
  if (event->type == GDK_KEY_PRESS) app.log.write("key", {{"keyval", std::int64_t{event->key.keyval}}});
  if (event->type == GDK_FOCUS_CHANGE) app.log.write("focus", {{"in", event->focus_change.in != 0}});
  gtk_main_do_event(event);
}

}  // namespace

int main(int argc, char** argv) {
  gtk_init(nullptr, nullptr);
  const fixture::Options options = fixture::parse_options(argc, argv);
  app.log.open(options.log);
  app.window = fixture::make_window(options);
  app.box = gtk_box_new(GTK_ORIENTATION_VERTICAL, 4);
  add_menus();
  add_buttons();
  add_texts();
  add_values();
  add(fixture::make_lists(app.log, app.ready));
  add(fixture::make_trees(app.log));
  GtkWidget* status = gtk_label_new("ready");
  add(status);
  fixture::show_did = [status](const std::string& text) { gtk_label_set_text(GTK_LABEL(status), text.c_str()); };
  gtk_container_add(GTK_CONTAINER(app.window), app.box);
  g_signal_connect(app.window, "destroy", G_CALLBACK(gtk_main_quit), nullptr);
  g_signal_connect_after(app.window, "draw", G_CALLBACK(+[](GtkWidget* window, cairo_t*, gpointer) -> gboolean {
                           if (app.ready) return FALSE;
                           app.ready = true;
                           const auto id = gdk_x11_window_get_xid(gtk_widget_get_window(window));
                           app.log.write("ready", {{"window", static_cast<std::int64_t>(id)}});
                           return FALSE;
                         }),
                         nullptr);
  g_io_add_watch(g_io_channel_unix_new(0), static_cast<GIOCondition>(G_IO_IN | G_IO_HUP), on_line, nullptr);
  gdk_event_handler_set(on_event, nullptr, nullptr);
  gtk_widget_show_all(app.window);
  gtk_main();
  return 0;
}
