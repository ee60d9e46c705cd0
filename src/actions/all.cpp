#include "actions/all.h"

#include "actions/access.h"
#include "actions/apps.h"
#include "actions/capture.h"
#include "actions/clipboard.h"
#include "actions/elements.h"
#include "actions/flow.h"
#include "actions/keyboard.h"
#include "actions/mouse.h"
#include "actions/observe.h"
#include "actions/verify.h"
#include "actions/windows.h"

namespace handrail::actions {

const catalog::Catalog& all_actions() {
  static const catalog::Catalog catalog({access_actions(), observe_actions(), mouse_actions(), keyboard_actions(),
                                         capture_actions(), element_actions(), verify_actions(), window_actions(),
                                         app_actions(), clipboard_actions(), flow_actions()});
  return catalog;
}

}  // namespace handrail::actions
