// What every GTK 3 fixture with a window and orders does first.
#pragma once

#include <gtk/gtk.h>

#include <optional>
#include <string>

#include "event_log.h"

namespace fixture {

inline GtkWidget* make_window(const Options& options) {
  GtkWidget* window = gtk_window_new(GTK_WINDOW_TOPLEVEL);
  gtk_window_set_title(GTK_WINDOW(window), options.title.c_str());
  gtk_window_set_default_size(GTK_WINDOW(window), options.width, options.height);
  if (options.placed) gtk_window_move(GTK_WINDOW(window), options.x, options.y);
  return window;
}

// Nothing at the end of input, and then the app ends.
inline std::optional<std::string> next_order(GIOChannel* input) {
  char* line = nullptr;
  gsize end = 0;
  if (g_io_channel_read_line(input, &line, nullptr, &end, nullptr) != G_IO_STATUS_NORMAL) {
    gtk_main_quit();
    return std::nullopt;
  }
  std::string order(line, end);
  g_free(line);
  return order;
}

}  // namespace fixture
