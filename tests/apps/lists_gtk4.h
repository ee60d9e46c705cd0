// The lists, tabs and branches of the GTK 4 widgets.
#pragma once

#include <gtk/gtk.h>

#include "lists_gtk.h"

namespace fixture {

inline void give_name(GtkWidget* widget, const char* name) {
  gtk_accessible_update_property(GTK_ACCESSIBLE(widget), GTK_ACCESSIBLE_PROPERTY_LABEL, name, -1);
}

inline void on_row(GtkListBox*, GtkListBoxRow* row, gpointer log) {
  if (row != nullptr) did(*static_cast<EventLog*>(log), "row", kRows[gtk_list_box_row_get_index(row)]);
}

// A list view of strings; those of a tree have an expander.
inline GtkWidget* make_view(const char* name, GtkSelectionModel* model, bool tree) {
  GtkListItemFactory* factory = gtk_signal_list_item_factory_new();
  g_signal_connect(factory, "setup", G_CALLBACK(+[](GtkListItemFactory*, GtkListItem* item, gpointer with_expander) {
                     GtkWidget* label = gtk_label_new("");
                     if (with_expander == nullptr) return gtk_list_item_set_child(item, label);
                     GtkWidget* expander = gtk_tree_expander_new();
                     gtk_tree_expander_set_child(GTK_TREE_EXPANDER(expander), label);
                     gtk_list_item_set_child(item, expander);
                   }),
                   GINT_TO_POINTER(tree));
  g_signal_connect(factory, "bind", G_CALLBACK(+[](GtkListItemFactory*, GtkListItem* item, gpointer with_expander) {
                     GtkWidget* child = gtk_list_item_get_child(item);
                     gpointer string = gtk_list_item_get_item(item);
                     if (with_expander != nullptr) {
                       auto* row = GTK_TREE_LIST_ROW(string);
                       gtk_tree_expander_set_list_row(GTK_TREE_EXPANDER(child), row);
                       child = gtk_tree_expander_get_child(GTK_TREE_EXPANDER(child));
                       string = gtk_tree_list_row_get_item(row);
                     }
                     gtk_label_set_text(GTK_LABEL(child), gtk_string_object_get_string(GTK_STRING_OBJECT(string)));
                   }),
                   GINT_TO_POINTER(tree));
  GtkWidget* view = gtk_list_view_new(model, factory);
  give_name(view, name);
  gtk_widget_set_hexpand(view, TRUE);
  return view;
}

inline GtkWidget* make_items(EventLog& log) {
  const char* rows[] = {kRows[0], kRows[1], kRows[2], kRows[3], nullptr};
  auto* model = gtk_single_selection_new(G_LIST_MODEL(gtk_string_list_new(rows)));
  gtk_single_selection_set_autoselect(model, FALSE);
  gtk_single_selection_set_selected(model, GTK_INVALID_LIST_POSITION);
  g_signal_connect(model, "notify::selected", G_CALLBACK(+[](GtkSingleSelection* it, GParamSpec*, gpointer to) {
                     const guint at = gtk_single_selection_get_selected(it);
                     if (at < 4) did(*static_cast<EventLog*>(to), "item", kRows[at]);
                   }),
                   &log);
  return make_view("Items", GTK_SELECTION_MODEL(model), false);
}

inline GListModel* leaves(gpointer branch, gpointer) {
  const std::string text = gtk_string_object_get_string(GTK_STRING_OBJECT(branch));
  if (text.find(' ') != std::string::npos) return nullptr;
  const std::string leaf = text + " leaf";
  const char* rows[] = {leaf.c_str(), nullptr};
  return G_LIST_MODEL(gtk_string_list_new(rows));
}

inline GtkWidget* make_tree(EventLog& log) {
  const char* rows[] = {kBranches[0], kBranches[1], nullptr};
  auto* model =
      gtk_tree_list_model_new(G_LIST_MODEL(gtk_string_list_new(rows)), FALSE, FALSE, leaves, nullptr, nullptr);
  g_signal_connect(model, "items-changed", G_CALLBACK(+[](GListModel*, guint, guint gone, guint come, gpointer to) {
                     did(*static_cast<EventLog*>(to), "branch", come > gone);
                   }),
                   &log);
  return make_view("Tree", GTK_SELECTION_MODEL(gtk_no_selection_new(G_LIST_MODEL(model))), true);
}

inline GtkWidget* make_lists(EventLog& log) {
  GtkWidget* box = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 4);
  GtkWidget* list = gtk_list_box_new();
  give_name(list, "List");
  gtk_widget_set_hexpand(list, TRUE);
  for (const char* row : kRows) gtk_list_box_append(GTK_LIST_BOX(list), gtk_label_new(row));
  g_signal_connect(list, "row-selected", G_CALLBACK(on_row), &log);
  gtk_box_append(GTK_BOX(box), list);
  gtk_box_append(GTK_BOX(box), make_items(log));
  gtk_box_append(GTK_BOX(box), make_days(log));
  GtkWidget* tabs = gtk_notebook_new();
  for (const char* tab : {"Front", "Back"}) {
    gtk_notebook_append_page(GTK_NOTEBOOK(tabs), gtk_label_new(tab), gtk_label_new(tab));
  }
  g_signal_connect(tabs, "switch-page", G_CALLBACK(+[](GtkNotebook*, GtkWidget*, guint page, gpointer to) {
                     did(*static_cast<EventLog*>(to), "tab", std::string(page == 0 ? "Front" : "Back"));
                   }),
                   &log);
  gtk_box_append(GTK_BOX(box), tabs);
  return box;
}

inline GtkWidget* make_trees(EventLog& log) {
  GtkWidget* box = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 4);
  gtk_box_append(GTK_BOX(box), make_tree(log));
  GtkWidget* expander = gtk_expander_new("More");
  gtk_expander_set_child(GTK_EXPANDER(expander), gtk_label_new("Inside"));
  g_signal_connect(expander, "notify::expanded", G_CALLBACK(+[](GtkExpander* it, GParamSpec*, gpointer to) {
                     did(*static_cast<EventLog*>(to), "expand", gtk_expander_get_expanded(it) != FALSE);
                   }),
                   &log);
  gtk_box_append(GTK_BOX(box), expander);
  return box;
}

}  // namespace fixture
