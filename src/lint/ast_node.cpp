#include "ast_node.hpp"

#include <algorithm>
#include <array>

namespace rta::lint {

NodeKind kind_named(std::string_view kind) {
  struct Entry {
    std::string_view name;
    NodeKind kind;
  };
  constexpr std::array entries{
      Entry{"FunctionDecl", NodeKind::function},
      Entry{"CXXMethodDecl", NodeKind::function},
      Entry{"CXXConstructorDecl", NodeKind::function},
      Entry{"CXXDestructorDecl", NodeKind::function},
      Entry{"CXXConversionDecl", NodeKind::function},
      Entry{"CallExpr", NodeKind::call},
      Entry{"CXXMemberCallExpr", NodeKind::call},
      Entry{"ImplicitCastExpr", NodeKind::transparent},
      Entry{"ParenExpr", NodeKind::transparent},
      Entry{"CStyleCastExpr", NodeKind::transparent},
      Entry{"CXXStaticCastExpr", NodeKind::transparent},
      Entry{"CXXReinterpretCastExpr", NodeKind::transparent},
      Entry{"CXXFunctionalCastExpr", NodeKind::transparent},
      Entry{"ExprWithCleanups", NodeKind::transparent},
      Entry{"MaterializeTemporaryExpr", NodeKind::transparent},
      Entry{"ConstantExpr", NodeKind::transparent},
      Entry{"DeclRefExpr", NodeKind::reference},
      Entry{"MemberExpr", NodeKind::reference},
      Entry{"UnresolvedLookupExpr", NodeKind::reference},
      Entry{"UnresolvedMemberExpr", NodeKind::reference},
      Entry{"CXXDependentScopeMemberExpr", NodeKind::reference},
      Entry{"CXXNullPtrLiteralExpr", NodeKind::null},
      Entry{"GNUNullExpr", NodeKind::null},
      Entry{"CXXDefaultArgExpr", NodeKind::missing},
      Entry{"ParmVarDecl", NodeKind::parameter},
      Entry{"CompoundStmt", NodeKind::body},
      Entry{"CXXTryStmt", NodeKind::body},
      Entry{"LambdaExpr", NodeKind::lambda},
      Entry{"CUDADeviceAttr", NodeKind::device},
      Entry{"CUDAGlobalAttr", NodeKind::global},
      Entry{"CUDAHostAttr", NodeKind::host},
  };
  const auto* const at = std::ranges::find(entries, kind, &Entry::name);
  return at == entries.end() ? NodeKind::other : at->kind;
}

}  // namespace rta::lint
