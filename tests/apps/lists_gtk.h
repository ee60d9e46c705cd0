// What the lists of the GTK 3 and the GTK 4 widgets share.
#pragma once

#include <gtk/gtk.h>

#include <string>

#include "widgets.h"

namespace fixture {

// Each GTK has its own way.
inline void give_name(GtkWidget* widget, const char* name);

// The selected days, as one text.
inline void on_days(GtkListBox* list, gpointer log) {
  std::string days;
  GList* rows = gtk_list_box_get_selected_rows(list);
  for (GList* at = rows; at != nullptr; at = at->next) {
    days += (days.empty() ? "" : "+") + std::string(kDays[gtk_list_box_row_get_index(GTK_LIST_BOX_ROW(at->data))]);
  }
  g_list_free(rows);
  did(*static_cast<EventLog*>(log), "days", days);
}

inline GtkWidget* make_days(EventLog& log) {
  GtkWidget* list = gtk_list_box_new();
  give_name(list, "Days");
  gtk_list_box_set_selection_mode(GTK_LIST_BOX(list), GTK_SELECTION_MULTIPLE);
  for (const char* day : kDays) gtk_list_box_insert(GTK_LIST_BOX(list), gtk_label_new(day), -1);
  g_signal_connect(list, "selected-rows-changed", G_CALLBACK(on_days), &log);
  return list;
}

}  // namespace fixture
