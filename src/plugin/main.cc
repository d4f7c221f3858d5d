// A plugin of gcc: what its ThreadSanitizer leaves out is brought into a form that it sees.
//
// gcc tells of plain assignments only. A structure that is an argument of a call, or its result, is
// copied by the call itself, and nothing tells that memory is read or written: `use(shared)` and
// `shared = make()` would be neither races nor steps. Neither are loads and stores of the
// instruction set, which are calls of builtin functions (_mm_stream_si32, _mm_loadh_pd), nor the
// parts of a pointer to a member function, whose fields are marked as if nobody could point to
// them.
//
// The pass stands right before gcc's own, so that nothing puts together again what it takes apart:
//
//   use(*p)       becomes   copy = *p; use(copy)
//   *p = make()   becomes   copy = make(); *p = copy
//   _mm_stream_si32(p, x)   becomes   __tsan_write_range(p, 4); _mm_stream_si32(p, x)
//
// Classes that are not copied byte by byte (TREE_ADDRESSABLE) go by reference, and their
// constructors are seen. What a masked instruction touches is decided when it is carried out: it is
// left alone, and so is assembly.
//
// Objects that went through it say so in their section .comment (cli/unseen_accesses.h looks for
// it).
//
// The order of gcc's headers matters.
// clang-format off
#include <gcc-plugin.h>
#include <tree.h>
#include <basic-block.h>
#include <gimple.h>
#include <gimple-expr.h>
#include <gimple-iterator.h>
#include <gimplify.h>
#include <tree-cfg.h>
#include <tree-dfa.h>
#include <ssa.h>
#include <tree-into-ssa.h>
#include <tree-pass.h>
#include <tree-ssa.h>
#include <stringpool.h>
#include <attribs.h>
#include <context.h>
#include <output.h>
#include <plugin-version.h>
// clang-format on

#define EXPORT __attribute__((visibility("default")))

EXPORT int plugin_is_GPL_compatible;

namespace {

bool has_run = false;

// Memory that nobody else can know of needs no telling.
bool may_be_shared(tree object) {
  tree base = get_base_address(object);
  if (base == NULL_TREE || !DECL_P(base)) return true;
  return is_global_var(base) || may_be_aliased(base);
}

// Something in memory that the call copies byte by byte.
bool is_copied(tree object) {
  if (is_gimple_reg(object) || is_gimple_min_invariant(object)) return false;
  tree type = TREE_TYPE(object);
  if (TREE_CODE(object) == WITH_SIZE_EXPR || is_gimple_reg_type(type)) return false;
  return !TREE_ADDRESSABLE(type) && int_size_in_bytes(type) > 0 && may_be_shared(object);
}

gassign* assignment(gcall* call, tree to, tree from) {
  gassign* assign = gimple_build_assign(to, from);
  gimple_set_location(assign, gimple_location(call));
  return assign;
}

bool copy_arguments(gimple_stmt_iterator* at, gcall* call) {
  bool changed = false;
  for (unsigned i = 0; i < gimple_call_num_args(call); ++i) {
    tree argument = gimple_call_arg(call, i);
    if (!is_copied(argument)) continue;
    tree copy = create_tmp_var(TREE_TYPE(argument));
    gsi_insert_before(at, assignment(call, copy, unshare_expr(argument)), GSI_SAME_STMT);
    gimple_call_set_arg(call, i, copy);
    changed = true;
  }
  return changed;
}

// Behind the call, or where it goes when it throws nothing.
bool copy_result(gimple_stmt_iterator* at, gcall* call) {
  tree result = gimple_call_lhs(call);
  if (result == NULL_TREE || !is_copied(result)) return false;
  const bool ends_block = stmt_ends_bb_p(call);
  edge behind = ends_block ? find_fallthru_edge(gimple_bb(call)->succs) : nullptr;
  if (ends_block && behind == nullptr) return false;
  tree copy = create_tmp_var(TREE_TYPE(result));
  gassign* assign = assignment(call, unshare_expr(result), copy);
  gimple_call_set_lhs(call, copy);
  if (ends_block)
    gsi_insert_on_edge(behind, assign);
  else
    gsi_insert_after(at, assign, GSI_SAME_STMT);
  return true;
}

bool occurs(const char* part, const char* name) {
  return strstr(name, part) != nullptr;
}

// Touch what their operands say at run time, or nothing.
bool is_left_alone(const char* name) {
  for (const char* part : {"mask", "gather", "scatter", "compress", "expand", "prefetch", "clflush",
                           "clwb", "cldemote", "save", "rstor"})
    if (occurs(part, name)) return true;
  return false;
}

// Some take a pointer to a number and mean a vector: as long as their other operand, or their
// result.
HOST_WIDE_INT bytes_of(gcall* call, tree pointed_to, const char* name) {
  if (occurs("movnt", name) && gimple_call_num_args(call) == 2)
    return int_size_in_bytes(TREE_TYPE(gimple_call_arg(call, 1)));
  if (occurs("lddqu", name) && gimple_call_lhs(call) != NULL_TREE)
    return int_size_in_bytes(TREE_TYPE(gimple_call_lhs(call)));
  return int_size_in_bytes(pointed_to);
}

void tell(gimple_stmt_iterator* at, gcall* call, const char* function, tree pointer,
          HOST_WIDE_INT bytes) {
  tree type = build_function_type_list(void_type_node, ptr_type_node, size_type_node, NULL_TREE);
  gcall* told = gimple_build_call(build_fn_decl(function, type), 2, pointer,
                                  build_int_cst(size_type_node, bytes));
  gimple_set_location(told, gimple_location(call));
  gsi_insert_before(at, told, GSI_SAME_STMT);
}

bool tell_of_instruction(gimple_stmt_iterator* at, gcall* call) {
  tree function = gimple_call_fndecl(call);
  if (function == NULL_TREE || !fndecl_built_in_p(function, BUILT_IN_MD)) return false;
  const char* name = IDENTIFIER_POINTER(DECL_NAME(function));
  if (is_left_alone(name)) return false;
  bool changed = false;
  tree parameter = TYPE_ARG_TYPES(TREE_TYPE(function));
  for (unsigned i = 0; i < gimple_call_num_args(call) && parameter != NULL_TREE;
       ++i, parameter = TREE_CHAIN(parameter)) {
    if (!POINTER_TYPE_P(TREE_VALUE(parameter))) continue;
    tree pointed_to = TREE_TYPE(TREE_VALUE(parameter));
    const HOST_WIDE_INT bytes = bytes_of(call, pointed_to, name);
    if (bytes <= 0) continue;
    const bool reads = TYPE_READONLY(pointed_to) || occurs("movntdqa", name);
    tell(at, call, reads ? "__tsan_read_range" : "__tsan_write_range", gimple_call_arg(call, i),
         bytes);
    changed = true;
  }
  return changed;
}

bool rewrite_call(gimple_stmt_iterator* at, gcall* call) {
  if (gimple_call_internal_p(call) || gimple_call_from_thunk_p(call) ||
      gimple_call_must_tail_p(call))
    return false;
  bool changed = tell_of_instruction(at, call);
  changed |= copy_arguments(at, call);
  changed |= copy_result(at, call);
  if (changed) update_stmt(call);
  return changed;
}

// gcc does not tell of fields to which nobody can point.
void let_point_to_fields(gimple* statement) {
  for (unsigned i = 0; i < gimple_num_ops(statement); ++i) {
    tree operand = gimple_op(statement, i);
    if (operand == NULL_TREE || TREE_CODE(operand) != COMPONENT_REF) continue;
    tree field = TREE_OPERAND(operand, 1);
    if (!DECL_BIT_FIELD(field)) DECL_NONADDRESSABLE_P(field) = 0;
  }
}

const pass_data kDescription = {
    GIMPLE_PASS, "heddle", OPTGROUP_NONE, TV_NONE, PROP_cfg | PROP_ssa, 0, 0, 0, 0};

class Pass : public gimple_opt_pass {
 public:
  explicit Pass(gcc::context* context) : gimple_opt_pass(kDescription, context) {}
  opt_pass* clone() override { return new Pass(m_ctxt); }

  bool gate(function* body) override {
    return (flag_sanitize & SANITIZE_THREAD) != 0 &&
           lookup_attribute("no_sanitize_thread", DECL_ATTRIBUTES(body->decl)) == NULL_TREE;
  }

  unsigned execute(function* body) override {
    has_run = true;
    bool changed = false;
    basic_block block;
    FOR_EACH_BB_FN(block, body) {
      for (gimple_stmt_iterator at = gsi_start_bb(block); !gsi_end_p(at); gsi_next(&at)) {
        if (gcall* call = dyn_cast<gcall*>(gsi_stmt(at)))
          changed |= rewrite_call(&at, call);
        else if (is_gimple_assign(gsi_stmt(at)))
          let_point_to_fields(gsi_stmt(at));
      }
    }
    if (!changed) return 0;
    gsi_commit_edge_inserts();
    mark_virtual_operands_for_renaming(body);
    return TODO_update_ssa_only_virtuals;
  }
};

void leave_mark(void*, void*) {
  if (has_run) fputs("\t.ident\t\"heddle: whole values\"\n", asm_out_file);
}

}  // namespace

EXPORT int plugin_init(plugin_name_args* plugin, plugin_gcc_version* version) {
  if (strcmp(version->basever, gcc_version.basever) != 0) return 1;
  for (const char* before : {"tsan", "tsan0"}) {  // with and without optimisation
    register_pass_info place = {new Pass(g), before, 1, PASS_POS_INSERT_BEFORE};
    register_callback(plugin->base_name, PLUGIN_PASS_MANAGER_SETUP, nullptr, &place);
  }
  register_callback(plugin->base_name, PLUGIN_FINISH_UNIT, leave_mark, nullptr);
  return 0;
}
