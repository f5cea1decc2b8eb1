/** Recipients and visibility of documents, and their release. Other rooms put these parts into statements of their own. */
export { removeDemoDeliveries } from './demo-removal.store.ts';
export {
  changeMembers,
  compareMembers,
  hasGroup,
  listGroups,
  listMembers,
  type MembershipChange,
  replaceGroups,
} from './memberships.store.ts';
export { listPrincipals, ownPrincipals, type Principal } from './principals.store.ts';
export { closedAt, isRead, readAt } from './reading-marks.ts';
export { listedColumns, release, withdrawDeliveries } from './release.store.ts';
export {
  callersPrincipals,
  cifsOf,
  deliveredContent,
  deliveriesOf,
  isDeliveredTo,
  isThere,
  membersAtPublication,
  ownDocuments,
  principalsOf,
  publicPrincipal,
  recipientsOf,
  whileMember,
} from './visibility.ts';
