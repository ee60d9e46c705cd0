# Files that are compiled together with HANDRAIL_UNITY. Written by tools/unity_groups.py.
handrail_group(contract_rows 1
  tests/contract/app_rows.cpp
  tests/contract/clipboard_rows.cpp
  tests/contract/fault_rows.cpp
  tests/contract/key_rows.cpp
  tests/contract/pointer_rows.cpp
  tests/contract/screen_rows.cpp
  tests/contract/suite.cpp
  tests/contract/window_rows.cpp)
handrail_group(handrail 1
  src/app/apps_command.cpp
  src/app/audit_command.cpp
  src/app/audit_command_text.cpp
  src/app/audit_follow.cpp
  src/app/colour.cpp
  src/app/command_table.cpp
  src/app/commands.cpp
  src/app/config.cpp)
handrail_group(handrail 2
  src/app/completion_command.cpp
  src/app/config_command.cpp
  src/app/config_text.cpp
  src/app/consent_dialog.cpp
  src/app/desk.cpp
  src/app/desk_guardian.cpp
  src/app/desktop_command.cpp
  src/app/dialog_approver.cpp)
handrail_group(handrail 3
  src/app/doctor_command.cpp
  src/app/grants_command.cpp
  src/app/guardian_command.cpp
  src/app/main.cpp
  src/app/man_command.cpp
  src/app/running_apps.cpp
  src/app/session_lock.cpp
  src/app/terminal_prompt.cpp)
handrail_group(handrail 4
  src/app/setup_command.cpp
  src/app/verbs.cpp
  src/app/visit.cpp)
handrail_group(handrail_actions 1
  src/actions/access.cpp
  src/actions/all.cpp
  src/actions/audit.cpp
  src/actions/by_hand.cpp
  src/actions/capture.cpp
  src/actions/clipboard.cpp
  src/actions/elements.cpp
  src/actions/field_typing.cpp)
handrail_group(handrail_actions 2
  src/actions/apps.cpp
  src/actions/flow.cpp
  src/actions/judging.cpp
  src/actions/keyboard.cpp
  src/actions/observe.cpp
  src/actions/plan/delta.cpp
  src/actions/plan/find.cpp
  src/actions/plan/index.cpp)
handrail_group(handrail_actions 3
  src/actions/files.cpp
  src/actions/named.cpp
  src/actions/plan/keyboard.cpp
  src/actions/plan/pointer.cpp
  src/actions/plan/tree.cpp
  src/actions/plan/uncovered.cpp
  src/actions/pressing.cpp
  src/actions/scrolling.cpp)
handrail_group(handrail_actions 4
  src/actions/mouse.cpp
  src/actions/ui_tree.cpp
  src/actions/verify.cpp
  src/actions/windows.cpp)
handrail_group(handrail_actions 5
  src/actions/services.cpp
  src/actions/system.cpp)
handrail_group(handrail_base 1
  src/base/base64.cpp
  src/base/digest.cpp
  src/base/error.cpp
  src/base/json.cpp
  src/base/log.cpp
  src/base/nearest.cpp
  src/base/one_line.cpp
  src/base/private_file.cpp)
handrail_group(handrail_base 2
  src/base/process.cpp
  src/base/random_id.cpp
  src/base/signals.cpp
  src/base/utf8.cpp
  src/base/worker_pool.cpp)
handrail_group(handrail_engine 1
  src/engine/action_runner.cpp
  src/engine/audit_head.cpp
  src/engine/audit_log.cpp
  src/engine/audit_read.cpp
  src/engine/audit_record.cpp
  src/engine/audit_tail.cpp
  src/engine/beside.cpp
  src/engine/budget.cpp)
handrail_group(handrail_engine 2
  src/engine/audit_verify.cpp
  src/engine/call_context.cpp
  src/engine/call_record.cpp
  src/engine/fit_of_name.cpp
  src/engine/front.cpp
  src/engine/grant_store_record.cpp
  src/engine/journal.cpp)
handrail_group(handrail_engine 3
  src/engine/gather.cpp
  src/engine/kill_switch.cpp
  src/engine/meant_element.cpp
  src/engine/options.cpp
  src/engine/perform.cpp
  src/engine/perform_on.cpp)
handrail_group(handrail_engine 4
  src/engine/perform_system.cpp
  src/engine/plan_facts.cpp
  src/engine/programs.cpp
  src/engine/session.cpp
  src/engine/settle.cpp
  src/engine/stale_pixels.cpp)
handrail_group(handrail_engine 5
  src/engine/stale_stack.cpp
  src/engine/still_watch.cpp
  src/engine/tenure.cpp
  src/engine/turns.cpp)
handrail_group(handrail_engine 6
  src/engine/grant_store.cpp
  src/engine/perform_windows.cpp)
handrail_group(handrail_front_cli 1
  src/front/cli/contract.cpp
  src/front/cli/do_command.cpp
  src/front/cli/options.cpp
  src/front/cli/reference.cpp
  src/front/cli/reference_words.cpp)
handrail_group(handrail_front_mcp 1
  src/front/mcp/elicitation.cpp
  src/front/mcp/protocol.cpp
  src/front/mcp/server.cpp
  src/front/mcp/stdio.cpp
  src/front/mcp/tool_result.cpp)
handrail_group(handrail_model 1
  src/model/desktop.cpp
  src/model/element.cpp
  src/model/frame.cpp
  src/model/input_plan.cpp
  src/model/key.cpp
  src/model/labels.cpp
  src/model/look.cpp
  src/model/outcome.cpp)
handrail_group(handrail_platform_atspi 1
  src/platform/atspi/accessibility.cpp
  src/platform/atspi/act.cpp
  src/platform/atspi/act_asks.cpp
  src/platform/atspi/act_menu.cpp
  src/platform/atspi/act_value.cpp
  src/platform/atspi/app_trees.cpp
  src/platform/atspi/app_watch.cpp
  src/platform/atspi/bring_up.cpp)
handrail_group(handrail_platform_atspi 2
  src/platform/atspi/act_calls.cpp
  src/platform/atspi/act_press.cpp
  src/platform/atspi/bus.cpp
  src/platform/atspi/cache_items.cpp
  src/platform/atspi/chosen.cpp
  src/platform/atspi/element_places.cpp
  src/platform/atspi/mirror_news.cpp
  src/platform/atspi/newcomers.cpp)
handrail_group(handrail_platform_atspi 3
  src/platform/atspi/field_places.cpp
  src/platform/atspi/node_properties.cpp
  src/platform/atspi/pump.cpp
  src/platform/atspi/read_element.cpp
  src/platform/atspi/requests.cpp
  src/platform/atspi/roles.cpp
  src/platform/atspi/secret_places.cpp
  src/platform/atspi/secrets.cpp)
handrail_group(handrail_platform_atspi 4
  src/platform/atspi/shown_option.cpp
  src/platform/atspi/told_text.cpp
  src/platform/atspi/tree_describe.cpp
  src/platform/atspi/tree_reader.cpp
  src/platform/atspi/tree_search.cpp)
handrail_group(handrail_platform_atspi 5
  src/platform/atspi/tree_shown.cpp
  src/platform/atspi/tree_walk.cpp)
handrail_group(handrail_platform_linux 1
  src/platform/linux/accessibility_switch.cpp
  src/platform/linux/app_launcher.cpp
  src/platform/linux/app_program.cpp
  src/platform/linux/bus_values.cpp
  src/platform/linux/control_client.cpp
  src/platform/linux/control_message.cpp
  src/platform/linux/control_socket.cpp
  src/platform/linux/desktop.cpp)
handrail_group(handrail_platform_linux 2
  src/platform/linux/default_app.cpp
  src/platform/linux/desktop_control.cpp
  src/platform/linux/desktop_environment.cpp
  src/platform/linux/desktop_folder.cpp
  src/platform/linux/desktop_record.cpp
  src/platform/linux/desktop_session.cpp
  src/platform/linux/file_access.cpp
  src/platform/linux/files.cpp)
handrail_group(handrail_platform_linux 3
  src/platform/linux/desktop_entry.cpp
  src/platform/linux/files_change.cpp
  src/platform/linux/guardian_link.cpp
  src/platform/linux/guardian_list.cpp
  src/platform/linux/guardian_process.cpp
  src/platform/linux/guardian_record.cpp
  src/platform/linux/guardian_wire.cpp)
handrail_group(handrail_platform_linux 4
  src/platform/linux/identity.cpp
  src/platform/linux/installed_apps.cpp
  src/platform/linux/lock_file.cpp
  src/platform/linux/machine_state.cpp
  src/platform/linux/named_app.cpp
  src/platform/linux/notification_watch.cpp
  src/platform/linux/patient_files.cpp
  src/platform/linux/process_table.cpp)
handrail_group(handrail_platform_linux 5
  src/platform/linux/notifier.cpp
  src/platform/linux/program_run.cpp
  src/platform/linux/programs.cpp
  src/platform/linux/running_script.cpp
  src/platform/linux/runtime_folder.cpp
  src/platform/linux/sandbox.cpp
  src/platform/linux/sandbox_filter.cpp
  src/platform/linux/sandboxed_app.cpp)
handrail_group(handrail_platform_linux 6
  src/platform/linux/service_bus.cpp
  src/platform/linux/services.cpp
  src/platform/linux/supervisor.cpp
  src/platform/linux/system.cpp
  src/platform/linux/toolkit_needs.cpp
  src/platform/linux/wrapped_program.cpp
  src/platform/linux/wrapper_script.cpp
  src/platform/linux/x_server.cpp)
handrail_group(handrail_platform_linux 7
  src/platform/linux/file_paths.cpp
  src/platform/linux/session_bus.cpp)
handrail_group(handrail_platform_sim 1
  src/platform/sim/apps.cpp
  src/platform/sim/characters.cpp
  src/platform/sim/clipboard.cpp
  src/platform/sim/desktop.cpp
  src/platform/sim/desktop_input.cpp
  src/platform/sim/hub.cpp
  src/platform/sim/input.cpp
  src/platform/sim/paint.cpp)
handrail_group(handrail_platform_sim 2
  src/platform/sim/screen.cpp
  src/platform/sim/sim_computer.cpp
  src/platform/sim/sim_window.cpp
  src/platform/sim/targets.cpp
  src/platform/sim/windows.cpp)
handrail_group(handrail_platform_x11 1
  src/platform/x11/agent_seat.cpp
  src/platform/x11/app_windows.cpp
  src/platform/x11/atoms.cpp
  src/platform/x11/backend.cpp
  src/platform/x11/capture.cpp
  src/platform/x11/clipboard.cpp
  src/platform/x11/clipboard_guard.cpp
  src/platform/x11/clipboard_holder.cpp)
handrail_group(handrail_platform_x11 2
  src/platform/x11/clipboard_image.cpp
  src/platform/x11/clipboard_offer.cpp
  src/platform/x11/clipboard_stash.cpp
  src/platform/x11/clipboard_text.cpp
  src/platform/x11/connection.cpp
  src/platform/x11/cursor.cpp
  src/platform/x11/damage.cpp)
handrail_group(handrail_platform_x11 3
  src/platform/x11/dial.cpp
  src/platform/x11/dialog.cpp
  src/platform/x11/dialog_devices.cpp
  src/platform/x11/dialog_paint.cpp
  src/platform/x11/dialog_window.cpp
  src/platform/x11/display_claim.cpp
  src/platform/x11/displays.cpp
  src/platform/x11/extensions.cpp)
handrail_group(handrail_platform_x11 4
  src/platform/x11/hidden_windows.cpp
  src/platform/x11/input.cpp
  src/platform/x11/input_delivery.cpp
  src/platform/x11/input_fence.cpp
  src/platform/x11/input_held.cpp
  src/platform/x11/input_keys.cpp
  src/platform/x11/input_pause.cpp
  src/platform/x11/input_pointer.cpp)
handrail_group(handrail_platform_x11 5
  src/platform/x11/input_press.cpp
  src/platform/x11/input_run.cpp
  src/platform/x11/input_watch.cpp
  src/platform/x11/keyboard.cpp
  src/platform/x11/keyboard_spares.cpp
  src/platform/x11/keymap.cpp
  src/platform/x11/keymap_record.cpp
  src/platform/x11/mask.cpp)
handrail_group(handrail_platform_x11 6
  src/platform/x11/mask_owners.cpp
  src/platform/x11/masked_capture.cpp
  src/platform/x11/monitors.cpp
  src/platform/x11/owner_questions.cpp
  src/platform/x11/people.cpp
  src/platform/x11/properties.cpp
  src/platform/x11/receipts.cpp)
handrail_group(handrail_platform_x11 7
  src/platform/x11/restore.cpp
  src/platform/x11/restore_windows.cpp
  src/platform/x11/screen.cpp
  src/platform/x11/seat_cover.cpp
  src/platform/x11/seat_sweeper.cpp
  src/platform/x11/segments.cpp
  src/platform/x11/server.cpp
  src/platform/x11/server_hold.cpp)
handrail_group(handrail_platform_x11 8
  src/platform/x11/targets.cpp
  src/platform/x11/text_entry.cpp
  src/platform/x11/window_owners.cpp
  src/platform/x11/window_requests.cpp
  src/platform/x11/window_tree.cpp
  src/platform/x11/windows.cpp)
handrail_group(handrail_platform_x11 9
  src/platform/x11/workspaces.cpp
  src/platform/x11/xauthority.cpp)
handrail_group(handrail_policy 1
  src/policy/access_decision.cpp
  src/policy/app_catalog.cpp
  src/policy/app_matches.cpp
  src/policy/app_name.cpp
  src/policy/app_rows.cpp
  src/policy/command_names.cpp
  src/policy/command_rules.cpp)
handrail_group(handrail_policy 2
  src/policy/command_scan.cpp
  src/policy/command_words.cpp
  src/policy/consent.cpp
  src/policy/consent_memory.cpp
  src/policy/consent_text.cpp
  src/policy/gates/approval.cpp
  src/policy/gates/argument_limits.cpp
  src/policy/gates/budget.cpp)
handrail_group(handrail_policy 3
  src/policy/deed_names.cpp
  src/policy/gates/clipboard.cpp
  src/policy/gates/files.cpp
  src/policy/gates/key_blocklist.cpp
  src/policy/gates/kill_switch.cpp
  src/policy/gates/os_permission.cpp
  src/policy/gates/person_active.cpp
  src/policy/gates/raise.cpp)
handrail_group(handrail_policy 4
  src/policy/gates/readiness.cpp
  src/policy/gates/region.cpp
  src/policy/gates/secret_field.cpp
  src/policy/gates/services.cpp
  src/policy/gates/stale_look.cpp
  src/policy/gates/stale_pixels.cpp
  src/policy/gates/targets.cpp
  src/policy/gates/text_rules.cpp)
handrail_group(handrail_policy 5
  src/policy/grants.cpp
  src/policy/key_rules.cpp
  src/policy/needs.cpp
  src/policy/phrase_rules.cpp
  src/policy/pipeline.cpp
  src/policy/shell_variables.cpp
  src/policy/shell_view.cpp
  src/policy/special_apps.cpp)
handrail_group(handrail_policy 6
  src/policy/shell_assignments.cpp
  src/policy/skeleton.cpp
  src/policy/stage_words.cpp
  src/policy/standing.cpp
  src/policy/text_rules.cpp
  src/policy/text_window.cpp
  src/policy/verdict.cpp)
handrail_group(handrail_surface 1
  src/surface/classic.cpp
  src/surface/classic_tools.cpp)
handrail_group(handrail_surface 2
  src/surface/flat_express.cpp
  src/surface/flat_tool.cpp
  src/surface/layered_rows.cpp
  src/surface/modifiers.cpp
  src/surface/native_gemini.cpp
  src/surface/native_steps.cpp
  src/surface/reply.cpp
  src/surface/universal.cpp)
handrail_group(handrail_surface 3
  src/surface/native.cpp
  src/surface/native_openai.cpp
  src/surface/words.cpp)
handrail_group(handrail_surface 4
  src/surface/layered.cpp
  src/surface/universal_rows.cpp)
handrail_group(handrail_vision 1
  src/vision/chips.cpp
  src/vision/deflate.cpp
  src/vision/encode.cpp
  src/vision/huffman.cpp
  src/vision/line_reader.cpp
  src/vision/line_shape.cpp
  src/vision/marks.cpp)
handrail_group(handrail_vision 2
  src/vision/diff.cpp
  src/vision/line_picture.cpp
  src/vision/ocr.cpp
  src/vision/ocr_engine.cpp
  src/vision/picture.cpp
  src/vision/pixel_print.cpp
  src/vision/png.cpp
  src/vision/reading_order.cpp)
handrail_group(handrail_vision 3
  src/vision/rows.cpp
  src/vision/scale.cpp
  src/vision/scale_avx2.cpp
  src/vision/sizing.cpp
  src/vision/text_lines.cpp
  src/vision/webp.cpp
  src/vision/workers.cpp)
handrail_group(handrail_wire 1
  src/wire/json_rpc.cpp
  src/wire/line_reader.cpp
  src/wire/line_writer.cpp)
handrail_group(unit_actions 1
  tests/unit/actions/changed_test.cpp
  tests/unit/actions/delta_test.cpp
  tests/unit/actions/find_test.cpp
  tests/unit/actions/index_test.cpp
  tests/unit/actions/plan_test.cpp
  tests/unit/actions/tree_test.cpp
  tests/unit/actions/uncovered_test.cpp)
handrail_group(unit_base 1
  tests/unit/base/base64_test.cpp
  tests/unit/base/error_test.cpp
  tests/unit/base/json_test.cpp
  tests/unit/base/nearest_test.cpp
  tests/unit/base/one_line_test.cpp
  tests/unit/base/process_test.cpp
  tests/unit/base/utf8_test.cpp)
handrail_group(unit_engine 1
  tests/unit/engine/audit_log_test.cpp
  tests/unit/engine/audit_verify_test.cpp
  tests/unit/engine/gates_test.cpp
  tests/unit/engine/grant_store_test.cpp
  tests/unit/engine/permit_test.cpp
  tests/unit/engine/runner_test.cpp
  tests/unit/engine/window_picture_test.cpp)
handrail_group(unit_model 1
  tests/unit/model/desktop_test.cpp
  tests/unit/model/element_test.cpp
  tests/unit/model/key_test.cpp
  tests/unit/model/look_test.cpp)
handrail_group(unit_platform_atspi 1
  tests/support/x_server.cpp
  tests/unit/platform_atspi/accessibility_test.cpp
  tests/unit/platform_atspi/act_test.cpp
  tests/unit/platform_atspi/field_places_test.cpp
  tests/unit/platform_atspi/mirror_news_test.cpp
  tests/unit/platform_atspi/newcomers_test.cpp
  tests/unit/platform_atspi/pure_test.cpp)
handrail_group(unit_platform_atspi 2
  tests/unit/platform_atspi/secrets_test.cpp
  tests/unit/platform_atspi/tree_limits_test.cpp)
handrail_group(unit_platform_linux 1
  tests/support/x_server.cpp
  tests/unit/platform_linux/app_launcher_test.cpp
  tests/unit/platform_linux/control_socket_test.cpp
  tests/unit/platform_linux/desktop_entry_test.cpp
  tests/unit/platform_linux/desktop_test.cpp
  tests/unit/platform_linux/guardian_record_test.cpp
  tests/unit/platform_linux/identity_test.cpp)
handrail_group(unit_platform_linux 2
  tests/unit/platform_linux/guardian_server.cpp
  tests/unit/platform_linux/installed_apps_test.cpp
  tests/unit/platform_linux/lock_file_test.cpp
  tests/unit/platform_linux/machine_state_test.cpp
  tests/unit/platform_linux/main.cpp)
handrail_group(unit_platform_linux 3
  tests/unit/platform_linux/process_table_test.cpp
  tests/unit/platform_linux/programs_test.cpp
  tests/unit/platform_linux/runtime_folder_test.cpp
  tests/unit/platform_linux/system_test.cpp)
handrail_group(unit_platform_linux 4
  tests/unit/platform_linux/files_test.cpp
  tests/unit/platform_linux/guardian_test.cpp
  tests/unit/platform_linux/patient_files_test.cpp
  tests/unit/platform_linux/wrapped_program_test.cpp)
handrail_group(unit_platform_sim 1
  tests/unit/platform_sim/faults_test.cpp
  tests/unit/platform_sim/input_test.cpp
  tests/unit/platform_sim/screen_test.cpp
  tests/unit/platform_sim/windows_test.cpp)
handrail_group(unit_platform_x11 1
  tests/support/x_server.cpp
  tests/unit/platform_x11/claim_test.cpp
  tests/unit/platform_x11/clipboard_guard_test.cpp
  tests/unit/platform_x11/connection_test.cpp
  tests/unit/platform_x11/hold_test.cpp
  tests/unit/platform_x11/input_test.cpp
  tests/unit/platform_x11/receipts_test.cpp
  tests/unit/platform_x11/text_test.cpp)
handrail_group(unit_platform_x11 2
  tests/unit/platform_x11/seat_test.cpp
  tests/unit/platform_x11/windows_test.cpp
  tests/unit/platform_x11/xauthority_test.cpp)
handrail_group(unit_platform_x11 3
  tests/unit/platform_x11/restore_test.cpp
  tests/unit/platform_x11/screen_test.cpp)
handrail_group(unit_platform_x11 4
  tests/unit/platform_x11/clipboard_test.cpp
  tests/unit/platform_x11/layouts_test.cpp
  tests/unit/platform_x11/targets_test.cpp)
handrail_group(unit_policy 1
  tests/unit/policy/access_decision_test.cpp
  tests/unit/policy/app_catalog_test.cpp
  tests/unit/policy/consent_test.cpp
  tests/unit/policy/enumeration_test.cpp
  tests/unit/policy/needs_test.cpp
  tests/unit/policy/text_rules_test.cpp)
handrail_group(unit_policy 2
  tests/unit/policy/gates_test.cpp
  tests/unit/policy/standing_test.cpp
  tests/unit/policy/text_window_test.cpp)
handrail_group(unit_surface 1
  tests/unit/surface/classic_test.cpp
  tests/unit/surface/compact_test.cpp
  tests/unit/surface/layered_test.cpp
  tests/unit/surface/native_test.cpp
  tests/unit/surface/universal_test.cpp)
handrail_group(unit_vision 1
  tests/unit/vision/diff_test.cpp
  tests/unit/vision/encode_test.cpp
  tests/unit/vision/huffman_test.cpp
  tests/unit/vision/line_reader_test.cpp
  tests/unit/vision/line_shape_test.cpp
  tests/unit/vision/marks_test.cpp
  tests/unit/vision/ocr_test.cpp
  tests/unit/vision/picture_test.cpp)
handrail_group(unit_vision 2
  tests/unit/vision/pixel_print_test.cpp
  tests/unit/vision/scale_test.cpp
  tests/unit/vision/sizing_test.cpp
  tests/unit/vision/workers_test.cpp)
