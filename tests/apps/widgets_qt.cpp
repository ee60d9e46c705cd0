// A Qt window with one widget of each kind, and a log of what became of them.
#include <QApplication>
#include <QCheckBox>
#include <QComboBox>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QMenuBar>
#include <QMessageBox>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QSlider>
#include <QSocketNotifier>
#include <QSpinBox>
#include <QTabWidget>
#include <QTimer>
#include <QTreeWidget>
#include <QVBoxLayout>

#include "widgets.h"

namespace {

class Window : public QWidget {
 public:
  explicit Window(fixture::EventLog& log) : log_(log), box_(new QVBoxLayout(this)) {
    add_menus();
    add_buttons();
    add_texts();
    add_values();
    add_lists();
    auto* status = new QLabel("ready");
    box_->addWidget(status);
    fixture::show_did = [status](const std::string& text) { status->setText(QString::fromStdString(text)); };
  }

  void obey(const fixture::Order& order) {
    if (order.verb == "tell") return log_.write("told");
    if (order.verb == "add") return add_button(QString::fromStdString(order.text));
    auto* button = qobject_cast<QPushButton*>(buttons_->itemAt(order.first)->widget());
    if (order.verb == "name") button->setText(QString::fromStdString(order.text));
    if (order.verb == "last") {
      buttons_->removeWidget(button);
      buttons_->addWidget(button);
      // The order of accessible children is that of stacking.
      button->raise();
    }
    const QString name = button->text();
    if (order.verb == "remove" || order.verb == "replace") delete button;
    if (order.verb == "replace") add_button(name);
  }

  bool eventFilter(QObject* to, QEvent* event) override {
    // A key comes to a window first, and goes on to the widgets in it.
    if (event->type() == QEvent::KeyPress && to->isWindowType()) {
      log_.write("key", {{"keyval", std::int64_t{static_cast<QKeyEvent*>(event)->key()}}});
    }
    return false;
  }

 private:
  void did(const char* what, fixture::Value to = std::string()) { fixture::did(log_, what, std::move(to)); }

  void add_button(const QString& name) {
    auto* button = new QPushButton(name);
    connect(button, &QPushButton::clicked, [this, button] { did("press", button->text().toStdString()); });
    buttons_->addWidget(button);
  }

  void add_item(QMenu* menu, const char* label) {
    QAction* action = menu->addAction(label);
    connect(action, &QAction::triggered, [this, action] { did("menu", action->text().toStdString()); });
  }

  void add_menus() {
    auto* bar = new QMenuBar;
    bar->setNativeMenuBar(false);
    QMenu* file = bar->addMenu("&File");
    add_item(file, "&New");
    add_item(file, "&Open…");
    QMenu* recent = file->addMenu("&Recent");
    add_item(recent, "First");
    add_item(recent, "Second");
    QMenu* edit = bar->addMenu("&Edit");
    add_item(edit, "&Copy");
    add_item(edit, "&Paste");
    edit->actions().back()->setEnabled(false);
    box_->setMenuBar(bar);
  }

  void add_buttons() {
    auto* holder = new QWidget;
    buttons_ = new QHBoxLayout(holder);
    for (int i = 0; i < fixture::kWidgetButtons; ++i) add_button("Button " + QString::number(i));
    box_->addWidget(holder);
    auto* ask = new QPushButton("Ask");
    connect(ask, &QPushButton::clicked, [this] {
      QMessageBox question(QMessageBox::Question, "Question", "Really?", QMessageBox::Ok, this);
      question.setAttribute(Qt::WA_ShowWithoutActivating);
      question.setWindowFlag(Qt::WindowDoesNotAcceptFocus);
      did("asked");
      question.exec();
    });
    box_->addWidget(ask);
    auto* check = new QCheckBox("Check");
    connect(check, &QCheckBox::toggled, [this](bool on) { did("check", on); });
    box_->addWidget(check);
  }

  void add_texts() {
    auto* entry = new QLineEdit("some words");
    entry->setAccessibleName("Entry");
    connect(entry, &QLineEdit::textChanged, [this](const QString& text) { did("entry", text.toStdString()); });
    box_->addWidget(entry);
    auto* view = new QPlainTextEdit;
    view->setAccessibleName("View");
    connect(view, &QPlainTextEdit::textChanged, [this, view] { did("view", view->toPlainText().toStdString()); });
    box_->addWidget(view);
  }

  void add_values() {
    auto* combo = new QComboBox;
    combo->setAccessibleName("Combo");
    for (const char* option : fixture::kOptions) combo->addItem(option);
    connect(combo, &QComboBox::currentTextChanged, [this](const QString& text) { did("combo", text.toStdString()); });
    box_->addWidget(combo);
    auto* slider = new QSlider(Qt::Horizontal);
    slider->setAccessibleName("Slider");
    slider->setRange(0, 100);
    connect(slider, &QSlider::valueChanged, [this](int value) { did("slider", double(value)); });
    box_->addWidget(slider);
    auto* spin = new QSpinBox;
    spin->setAccessibleName("Spin");
    spin->setRange(0, 50);
    connect(spin, QOverload<int>::of(&QSpinBox::valueChanged), [this](int value) { did("spin", double(value)); });
    box_->addWidget(spin);
  }

  void add_lists() {
    auto* list = new QListWidget;
    list->setAccessibleName("List");
    for (const char* row : fixture::kRows) list->addItem(row);
    connect(list, &QListWidget::itemSelectionChanged, [this, list] {
      for (const QListWidgetItem* item : list->selectedItems()) did("row", item->text().toStdString());
    });
    box_->addWidget(list);
    auto* days = new QListWidget;
    days->setAccessibleName("Days");
    days->setMaximumHeight(50);
    days->setSelectionMode(QAbstractItemView::ExtendedSelection);
    for (const char* day : fixture::kDays) days->addItem(day);
    connect(days, &QListWidget::itemSelectionChanged, [this, days] {
      QStringList names;
      for (const QListWidgetItem* item : days->selectedItems()) names += item->text();
      did("days", names.join('+').toStdString());
    });
    box_->addWidget(days);
    auto* tabs = new QTabWidget;
    for (const char* tab : {"Front", "Back"}) tabs->addTab(new QLabel(tab), tab);
    connect(tabs, &QTabWidget::currentChanged,
            [this](int page) { did("tab", std::string(page == 0 ? "Front" : "Back")); });
    box_->addWidget(tabs);
    auto* tree = new QTreeWidget;
    tree->setAccessibleName("Tree");
    for (const char* branch : fixture::kBranches) {
      new QTreeWidgetItem(new QTreeWidgetItem(tree, {branch}), {QString(branch) + " leaf"});
    }
    connect(tree, &QTreeWidget::itemSelectionChanged, [this, tree] {
      for (const QTreeWidgetItem* item : tree->selectedItems()) did("leaf", item->text(0).toStdString());
    });
    connect(tree, &QTreeWidget::itemExpanded, [this] { did("branch", true); });
    connect(tree, &QTreeWidget::itemCollapsed, [this] { did("branch", false); });
    box_->addWidget(tree);
  }

  fixture::EventLog& log_;
  QVBoxLayout* box_;
  QHBoxLayout* buttons_ = nullptr;
};

}  // namespace

int main(int argc, char** argv) {
  const fixture::Options options = fixture::parse_options(argc, argv);
  int no_arguments = 1;
  QApplication application(no_arguments, argv);
  fixture::EventLog log;
  log.open(options.log);
  Window window(log);
  window.setWindowTitle(QString::fromStdString(options.title));
  window.resize(options.width, options.height);
  if (options.placed) window.move(options.x, options.y);
  std::string input;
  QSocketNotifier orders(0, QSocketNotifier::Read);
  QObject::connect(&orders, &QSocketNotifier::activated, [&] {
    char bytes[512];
    const ssize_t n = ::read(0, bytes, sizeof bytes);
    if (n <= 0) QApplication::quit();
    if (n > 0) input.append(bytes, static_cast<std::size_t>(n));
    for (std::size_t end = 0; (end = input.find('\n')) != std::string::npos; input.erase(0, end + 1)) {
      window.obey(fixture::parse_order(input.substr(0, end)));
    }
  });
  QTimer timer;
  QObject::connect(&timer, &QTimer::timeout, [&] {
    if (!window.isVisible()) return;
    timer.stop();
    log.write("ready", {{"window", static_cast<std::int64_t>(window.winId())}});
  });
  timer.start(10);
  application.installEventFilter(&window);
  window.show();
  return QApplication::exec();
}
