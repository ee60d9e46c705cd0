// The lists, tabs and branches of the GTK 3 widgets.
#pragma once

#include <gtk/gtk.h>

#include "lists_gtk.h"

namespace fixture {

inline void give_name(GtkWidget* widget, const char* name) {
  atk_object_set_name(gtk_widget_get_accessible(widget), name);
}

inline void on_row(GtkListBox*, GtkListBoxRow* row, gpointer log) {
  if (row != nullptr) did(*static_cast<EventLog*>(log), "row", kRows[gtk_list_box_row_get_index(row)]);
}

inline GtkWidget* make_lists(EventLog& log, bool& ready) {
  GtkWidget* box = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 4);
  GtkWidget* list = gtk_list_box_new();
  give_name(list, "List");
  for (const char* row : kRows) gtk_list_box_insert(GTK_LIST_BOX(list), gtk_label_new(row), -1);
  g_signal_connect(list, "row-selected", G_CALLBACK(on_row), &log);
  gtk_box_pack_start(GTK_BOX(box), list, TRUE, TRUE, 0);
  gtk_box_pack_start(GTK_BOX(box), make_days(log), TRUE, TRUE, 0);
  GtkWidget* tabs = gtk_notebook_new();
  for (const char* tab : {"Front", "Back"}) {
    gtk_notebook_append_page(GTK_NOTEBOOK(tabs), gtk_label_new(tab), gtk_label_new(tab));
  }
  // The first page comes to the front when the window does.
  static bool& shown = ready;
  g_signal_connect(tabs, "switch-page", G_CALLBACK(+[](GtkNotebook*, GtkWidget*, guint page, gpointer to) {
                     if (shown) did(*static_cast<EventLog*>(to), "tab", std::string(page == 0 ? "Front" : "Back"));
                   }),
                   &log);
  gtk_box_pack_start(GTK_BOX(box), tabs, TRUE, TRUE, 0);
  return box;
}

inline void on_tree_row(GtkTreeSelection* selection, gpointer log) {
  GtkTreeModel* model = nullptr;
  GtkTreeIter row;
  if (!gtk_tree_selection_get_selected(selection, &model, &row)) return;
  char* text = nullptr;
  gtk_tree_model_get(model, &row, 0, &text, -1);
  did(*static_cast<EventLog*>(log), "leaf", text);
  g_free(text);
}

inline GtkWidget* make_tree(EventLog& log) {
  GtkTreeStore* store = gtk_tree_store_new(1, G_TYPE_STRING);
  for (const char* branch : kBranches) {
    GtkTreeIter top;
    GtkTreeIter below;
    gtk_tree_store_insert_with_values(store, &top, nullptr, -1, 0, branch, -1);
    const std::string leaf = std::string(branch) + " leaf";
    gtk_tree_store_insert_with_values(store, &below, &top, -1, 0, leaf.c_str(), -1);
  }
  GtkWidget* tree = gtk_tree_view_new_with_model(GTK_TREE_MODEL(store));
  g_object_unref(store);
  give_name(tree, "Tree");
  gtk_tree_view_set_headers_visible(GTK_TREE_VIEW(tree), FALSE);
  gtk_tree_view_insert_column_with_attributes(GTK_TREE_VIEW(tree), -1, "Name", gtk_cell_renderer_text_new(), "text", 0,
                                              nullptr);
  g_signal_connect(gtk_tree_view_get_selection(GTK_TREE_VIEW(tree)), "changed", G_CALLBACK(on_tree_row), &log);
  g_signal_connect(tree, "row-expanded", G_CALLBACK(+[](GtkTreeView*, GtkTreeIter*, GtkTreePath*, gpointer to) {
                     did(*static_cast<EventLog*>(to), "branch", true);
                   }),
                   &log);
  g_signal_connect(tree, "row-collapsed", G_CALLBACK(+[](GtkTreeView*, GtkTreeIter*, GtkTreePath*, gpointer to) {
                     did(*static_cast<EventLog*>(to), "branch", false);
                   }),
                   &log);
  return tree;
}

inline GtkWidget* make_trees(EventLog& log) {
  GtkWidget* box = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 4);
  gtk_box_pack_start(GTK_BOX(box), make_tree(log), TRUE, TRUE, 0);
  GtkWidget* expander = gtk_expander_new("More");
  gtk_container_add(GTK_CONTAINER(expander), gtk_label_new("Inside"));
  g_signal_connect(expander, "notify::expanded", G_CALLBACK(+[](GtkExpander* it, GParamSpec*, gpointer to) {
                     did(*static_cast<EventLog*>(to), "expand", gtk_expander_get_expanded(it) != FALSE);
                   }),
                   &log);
  gtk_box_pack_start(GTK_BOX(box), expander, TRUE, TRUE, 0);
  return box;
}

}  // namespace fixture
