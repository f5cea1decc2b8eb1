import * as account from './account.ts';
import * as documents from './documents.ts';
import * as interfaces from './interface.ts';
import * as metadata from './metadata.ts';
import * as publishing from './publishing.ts';
import * as session from './session.ts';
import * as statute from './statute.ts';

/** Every call of the product, by name. Server routes, OpenAPI, web calls, the typed test client and the contract check come from here. */
export const calls = {
  getHealth: interfaces.getHealth,
  getReadiness: interfaces.getReadiness,
  getTranslations: interfaces.getTranslations,
  listLanguages: interfaces.listLanguages,
  getLogo: interfaces.getLogo,
  getChangelog: interfaces.getChangelog,
  findSignInService: session.findSignInService,
  startSignIn: session.startSignIn,
  returnFromService: session.returnFromService,
  login: session.login,
  logout: session.logout,
  refresh: session.refresh,
  listSignInOptions: session.listSignInOptions,
  verifySso: session.verifySso,
  backchannelLogout: session.backchannelLogout,
  getSelf: session.getSelf,
  changePassword: account.changePassword,
  requestPasswordReset: account.requestPasswordReset,
  listOwnMetadata: metadata.listOwnMetadata,
  mapOwnMetadata: metadata.mapOwnMetadata,
  listPublicMetadata: metadata.listPublicMetadata,
  listDictionaries: metadata.listDictionaries,
  listOwnDocuments: documents.listOwnDocuments,
  getDocument: documents.getDocument,
  getRenderResult: documents.getRenderResult,
  getPageImage: documents.getPageImage,
  downloadDocument: documents.downloadDocument,
  checkDocument: documents.checkDocument,
  markPage: documents.markPage,
  markRead: documents.markRead,
  listIgnoreMarkers: documents.listIgnoreMarkers,
  getStatuteInForce: statute.getStatuteInForce,
  acceptStatute: statute.acceptStatute,
  markStatutePage: statute.markStatutePage,
  getStatute: statute.getStatute,
  getStatuteRenderResult: statute.getStatuteRenderResult,
  getStatutePageImage: statute.getStatutePageImage,
  downloadStatute: statute.downloadStatute,
  publishDocument: publishing.publishDocument,
  upsertClients: publishing.upsertClients,
  publishStatute: publishing.publishStatute,
  upsertDictionary: publishing.upsertDictionary,
  removeDemo: publishing.removeDemo,
} as const;

export type CallName = keyof typeof calls;
