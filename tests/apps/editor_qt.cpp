// A Qt window that is one text edit, and a log of what reached it. Built for Qt 5 and for Qt 6.
#include <QApplication>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPlainTextEdit>
#include <QTimer>
#include <QWheelEvent>
#include <QWindow>

#include "event_log.h"

namespace {

// The X number of a Qt button.
std::int64_t number(Qt::MouseButton button) {
  switch (button) {
    case Qt::LeftButton: return 1;
    case Qt::MiddleButton: return 2;
    case Qt::RightButton: return 3;
    case Qt::BackButton: return 8;
    case Qt::ForwardButton: return 9;
    default: return 0;
  }
}

class EventFilter : public QObject {
 public:
  EventFilter(fixture::EventLog& log, bool motion) : log_(log), motion_(motion) {}

  // Native windows see each event first and once; widgets see it again.
  bool eventFilter(QObject* receiver, QEvent* event) override {
    if (!receiver->isWindowType()) return false;
    switch (event->type()) {
      case QEvent::MouseButtonPress:
      case QEvent::MouseButtonDblClick: pointer("press", *static_cast<QMouseEvent*>(event)); break;
      case QEvent::MouseButtonRelease: pointer("release", *static_cast<QMouseEvent*>(event)); break;
      case QEvent::MouseMove:
        if (motion_) pointer("motion", *static_cast<QMouseEvent*>(event));
        break;
      case QEvent::Wheel: {
        const auto& wheel = *static_cast<QWheelEvent*>(event);
        log_.write("scroll", {{"dx", -wheel.angleDelta().x() / 120.0},
                              {"dy", -wheel.angleDelta().y() / 120.0},
                              {"root_x", wheel.globalPosition().x()},
                              {"root_y", wheel.globalPosition().y()},
                              {"state", std::int64_t{wheel.modifiers()}}});
        break;
      }
      case QEvent::KeyPress: key("key", *static_cast<QKeyEvent*>(event)); break;
      case QEvent::KeyRelease: key("key_release", *static_cast<QKeyEvent*>(event)); break;
      case QEvent::FocusIn: log_.write("focus", {{"in", true}}); break;
      case QEvent::FocusOut: log_.write("focus", {{"in", false}}); break;
      case QEvent::Expose:
        if (ready_ || !static_cast<QWindow*>(receiver)->isExposed()) break;
        ready_ = true;
        log_.write("ready", {{"window", static_cast<std::int64_t>(static_cast<QWindow*>(receiver)->winId())},
                             {"pid", std::int64_t{getpid()}}});
        break;
      default: break;
    }
    return false;
  }

 private:
  void pointer(const char* name, const QMouseEvent& event) {
#if QT_VERSION >= QT_VERSION_CHECK(6, 0, 0)
    const QPointF local = event.position(), root = event.globalPosition();
#else
    const QPointF local = event.localPos(), root = event.screenPos();
#endif
    log_.write(name, {{"button", number(event.button())},
                      {"x", local.x()},
                      {"y", local.y()},
                      {"root_x", root.x()},
                      {"root_y", root.y()},
                      {"state", std::int64_t{event.modifiers()}}});
  }
  void key(const char* name, const QKeyEvent& event) {
    log_.write(name, {{"keyval", std::int64_t{event.nativeVirtualKey()}},
                      {"keycode", std::int64_t{event.nativeScanCode()}},
                      {"state", std::int64_t{event.nativeModifiers()}},
                      {"text", event.text().toStdString()}});
  }

  fixture::EventLog& log_;
  bool motion_;
  bool ready_ = false;
};

}  // namespace

int main(int argc, char** argv) {
  const fixture::Options options = fixture::parse_options(argc, argv);
  int no_arguments = 1;
  QApplication application(no_arguments, argv);
  fixture::EventLog log;
  log.open(options.log);
  EventFilter filter(log, options.motion);
  application.installEventFilter(&filter);

  QPlainTextEdit edit;
  edit.setWindowTitle(QString::fromStdString(options.title));
  edit.resize(options.width, options.height);
  if (options.placed) edit.move(options.x, options.y);

  fixture::TextLog text;
  QTimer timer;
  timer.setSingleShot(true);
  timer.setTimerType(Qt::PreciseTimer);
  const auto flush = [&] { text.flush(log, edit.toPlainText().toStdString()); };
  QObject::connect(&timer, &QTimer::timeout, flush);
  QObject::connect(&edit, &QPlainTextEdit::textChanged, [&] {
    if (timer.isActive()) return;
    const int wait = text.changed();
    if (wait == 0) return flush();
    timer.start(wait);
  });

  edit.show();
  edit.setFocus();
  const int status = QApplication::exec();
  log.write("closed");
  return status;
}
