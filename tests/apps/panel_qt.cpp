// A Qt window with an entry, a slider and a scrolled column of buttons.
#include <unistd.h>

#include <QApplication>
#include <QLineEdit>
#include <QPushButton>
#include <QScrollArea>
#include <QScrollBar>
#include <QSlider>
#include <QSocketNotifier>
#include <QTimer>
#include <QVBoxLayout>

#include "panel.h"

int main(int argc, char** argv) {
  const fixture::Options options = fixture::parse_options(argc, argv);
  int no_arguments = 1;
  QApplication application(no_arguments, argv);
  fixture::EventLog log;
  log.open(options.log);

  QWidget window;
  window.setWindowTitle(QString::fromStdString(options.title));
  window.resize(options.width, options.height);
  if (options.placed) window.move(options.x, options.y);
  QVBoxLayout layout(&window);
  QLineEdit entry("some words"), secret("canary");
  secret.setEchoMode(QLineEdit::Password);
  QSlider slider(Qt::Horizontal);
  slider.setRange(0, 100);
  slider.setValue(42);
  QScrollArea scrolled;
  auto* column = new QWidget;
  auto* buttons = new QVBoxLayout(column);
  const auto add = [&](const std::string& name) { buttons->addWidget(new QPushButton(QString::fromStdString(name))); };
  for (int i = 0; i < fixture::kFirstButtons; ++i) add("Button " + std::to_string(i));
  scrolled.setWidgetResizable(true);
  scrolled.setWidget(column);
  layout.addWidget(&entry);
  layout.addWidget(&slider);
  layout.addWidget(&secret);
  layout.addWidget(&scrolled);

  const auto at = [&](int place) { return qobject_cast<QPushButton*>(buttons->itemAt(place)->widget()); };
  std::string input;
  const auto obey = [&](const fixture::Order& order) {
    if (order.verb == "add") add(order.text);
    if (order.verb == "remove") delete at(order.first);
    if (order.verb == "name") at(order.first)->setText(QString::fromStdString(order.text));
    if (order.verb == "enable") at(order.first)->setEnabled(order.second != 0);
    if (order.verb == "move") window.move(order.first, order.second);
    if (order.verb == "scroll") scrolled.verticalScrollBar()->setValue(order.first);
    if (order.verb == "show") at(order.first)->setVisible(order.second != 0);
    if (order.verb == "first") buttons->insertWidget(0, at(order.first));
    if (order.verb == "all") column->setEnabled(order.first != 0);
    if (order.verb == "text") entry.setText(QString::fromStdString(order.text));
    if (order.verb == "slide") slider.setValue(order.first);
    if (order.verb != "tell") return;
    for (int i = 0; i < buttons->count(); ++i) {
      QPushButton* button = at(i);
      const QPoint corner = button->mapToGlobal(QPoint(0, 0));
      fixture::tell_button(log, i, button->text().toStdString().c_str(), button->isEnabled(), corner.x(), corner.y(),
                           button->width(), button->height());
    }
    log.write("told");
  };
  QSocketNotifier orders(0, QSocketNotifier::Read);
  QObject::connect(&orders, &QSocketNotifier::activated, [&] {
    char bytes[512];
    const ssize_t n = ::read(0, bytes, sizeof bytes);
    if (n <= 0) QApplication::quit();
    if (n > 0) input.append(bytes, static_cast<std::size_t>(n));
    for (std::size_t end = 0; (end = input.find('\n')) != std::string::npos; input.erase(0, end + 1)) {
      obey(fixture::parse_order(input.substr(0, end)));
    }
  });
  QTimer timer;
  QObject::connect(&timer, &QTimer::timeout, [&] {
    if (!window.isVisible()) return;
    timer.stop();
    log.write("ready", {{"window", static_cast<std::int64_t>(window.winId())}});
  });
  timer.start(10);
  window.show();
  entry.setFocus();
  return QApplication::exec();
}
