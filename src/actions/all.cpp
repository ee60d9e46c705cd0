#include "actions/all.h"

#include "actions/access.h"
#include "actions/apps.h"
#include "actions/audit.h"
#include "actions/capture.h"
#include "actions/clipboard.h"
#include "actions/elements.h"
#include "actions/files.h"
#include "actions/flow.h"
#include "actions/keyboard.h"
#include "actions/mouse.h"
#include "actions/named.h"
#include "actions/observe.h"
#include "actions/programs.h"
#include "actions/services.h"
#include "actions/system.h"
#include "actions/ui_tree.h"
#include "actions/verify.h"
#include "actions/windows.h"

namespace handrail::actions {

const catalog::Catalog& all_actions() {
  static const catalog::Catalog catalog({access_actions(), observe_actions(), mouse_actions(), keyboard_actions(),
                                         capture_actions(), element_actions(), verify_actions(), window_actions(),
                                         app_actions(), clipboard_actions(), file_actions(), program_actions(),
                                         service_actions(), system_actions(), flow_actions(), tree_actions(),
                                         named_actions(), audit_actions()});
  return catalog;
}

}  // namespace handrail::actions
