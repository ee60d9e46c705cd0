// A Qt window with a plain entry and a password entry. Built for Qt 5 and for Qt 6.
#include <csignal>
#include <QApplication>
#include <QLabel>
#include <QLineEdit>
#include <QTimer>
#include <QVBoxLayout>

#include "event_log.h"

namespace {

volatile std::sig_atomic_t toggles = 0, focuses = 0;

void on_signal(int number) {
  if (number == SIGUSR1) {
    toggles = toggles + 1;
  } else {
    focuses = focuses + 1;
  }
}

class Secret : public QLineEdit {
 public:
  explicit Secret(fixture::EventLog& log) : log_(log) {}

  void tell() {
    const QRect now(mapToGlobal(QPoint(0, 0)), size());
    if (!isVisible() || now == last_) return;
    last_ = now;
    log_.write("field", {{"x", std::int64_t{now.x()}},
                         {"y", std::int64_t{now.y()}},
                         {"width", std::int64_t{now.width()}},
                         {"height", std::int64_t{now.height()}}});
  }

 private:
  fixture::EventLog& log_;
  QRect last_;
};

}  // namespace

int main(int argc, char** argv) {
  const fixture::Options options = fixture::parse_options(argc, argv);
  int no_arguments = 1;
  QApplication application(no_arguments, argv);
  fixture::EventLog log;
  log.open(options.log);
  std::signal(SIGUSR1, on_signal);
  std::signal(SIGUSR2, on_signal);

  QWidget window;
  window.setWindowTitle(QString::fromStdString(options.title));
  window.resize(options.width, options.height);
  if (options.placed) window.move(options.x, options.y);
  QVBoxLayout layout(&window);
  QLineEdit plain;
  Secret secret(log);
  secret.setEchoMode(QLineEdit::Password);
  secret.setText("canary");
  secret.setStyleSheet("QLineEdit { background: #fe01ba; }");
  layout.addWidget(&plain);
  layout.addWidget(&secret);

  QObject::connect(&secret, &QLineEdit::textChanged, [&](const QString& text) {
    log.write("typed", {{"length", static_cast<std::int64_t>(text.size())}});
  });
  bool ready = false;
  int toggled = 0, focused = 0;
  QTimer timer;
  QObject::connect(&timer, &QTimer::timeout, [&] {
    if (!ready && window.isVisible()) {
      ready = true;
      log.write("ready", {{"window", static_cast<std::int64_t>(window.winId())}, {"pid", std::int64_t{getpid()}}});
    }
    secret.tell();
    if (toggled != toggles) {
      ++toggled;
      secret.setVisible(!secret.isVisible());
      log.write(secret.isVisible() ? "shown" : "gone");
    }
    if (focused != focuses) {
      ++focused;
      const bool to_secret = !secret.hasFocus();
      (to_secret ? static_cast<QLineEdit&>(secret) : plain).setFocus();
      log.write("focus_on", {{"secret", to_secret}});
    }
  });
  QTimer flap;
  QObject::connect(&flap, &QTimer::timeout, [&] { secret.setVisible(!secret.isVisible()); });
  if (options.flap > 0) flap.start(options.flap);
  QLabel label;
  QTimer busy;
  int changes = 0;
  QObject::connect(&busy, &QTimer::timeout, [&] { label.setText(QString::number(++changes)); });
  if (options.busy > 0) {
    layout.addWidget(&label);
    busy.start(options.busy);
  }
  timer.start(10);
  window.show();
  secret.setFocus();
  const int status = QApplication::exec();
  log.write("closed");
  return status;
}
