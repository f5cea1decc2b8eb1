import * as account from './account.ts';
import * as batches from './batches.ts';
import * as clients from './clients.ts';
import * as configuration from './configuration.ts';
import * as documentLife from './document-life.ts';
import * as documents from './documents.ts';
import * as exported from './exports.ts';
import * as groups from './groups.ts';
import * as interfaces from './interface.ts';
import * as ledger from './ledger.ts';
import * as metadata from './metadata.ts';
import * as notices from './notices.ts';
import * as notifications from './notifications.ts';
import * as publicDocuments from './public-documents.ts';
import * as publishing from './publishing.ts';
import * as received from './received.ts';
import * as savedViews from './saved-views.ts';
import * as sentDocuments from './sent-documents.ts';
import * as session from './session.ts';
import * as statute from './statute.ts';
import * as locks from './locks.ts';
import * as verification from './verification.ts';
import * as webhooks from './webhooks.ts';

/** Every call of the product, by name. Server routes, OpenAPI, web calls, the typed test client and the contract check come from here. */
export const calls = {
  getHealth: interfaces.getHealth,
  getReadiness: interfaces.getReadiness,
  getTranslations: interfaces.getTranslations,
  listLanguages: interfaces.listLanguages,
  getTheme: interfaces.getTheme,
  getLogo: interfaces.getLogo,
  getChangelog: interfaces.getChangelog,
  getAccessibilityStatement: interfaces.getAccessibilityStatement,
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
  getAccount: account.getAccount,
  setupChannel: account.setupChannel,
  setupLanguage: account.setupLanguage,
  changePassword: account.changePassword,
  requestPasswordReset: account.requestPasswordReset,
  listOwnMetadata: metadata.listOwnMetadata,
  mapOwnMetadata: metadata.mapOwnMetadata,
  listPublicMetadata: metadata.listPublicMetadata,
  listDictionaries: metadata.listDictionaries,
  listOwnDocuments: documents.listOwnDocuments,
  searchOwnDocuments: documents.searchOwnDocuments,
  listOwnValues: documents.listOwnValues,
  getDocument: documents.getDocument,
  getRenderResult: documents.getRenderResult,
  getPageImage: documents.getPageImage,
  getPageText: documents.getPageText,
  downloadDocument: documents.downloadDocument,
  checkDocument: documents.checkDocument,
  getDocumentHistory: verification.getDocumentHistory,
  getDocumentLock: locks.getDocumentLock,
  getReceipt: ledger.getReceipt,
  markPage: documents.markPage,
  markRead: documents.markRead,
  listIgnoreMarkers: documents.listIgnoreMarkers,
  listCategories: sentDocuments.listCategories,
  getSendingLimits: sentDocuments.getSendingLimits,
  uploadDocument: sentDocuments.uploadDocument,
  listSentDocuments: sentDocuments.listSentDocuments,
  getSentDocument: sentDocuments.getSentDocument,
  getSentReceipt: ledger.getSentReceipt,
  getSentLock: locks.getSentLock,
  downloadSentDocument: sentDocuments.downloadSentDocument,
  getSentRenderResult: sentDocuments.getSentRenderResult,
  getSentPageImage: sentDocuments.getSentPageImage,
  getSentPageText: sentDocuments.getSentPageText,
  listPublicDocuments: publicDocuments.listPublicDocuments,
  getPublicDocument: publicDocuments.getPublicDocument,
  downloadPublicDocument: publicDocuments.downloadPublicDocument,
  checkPublicDocument: publicDocuments.checkPublicDocument,
  getPublicReceipt: ledger.getPublicReceipt,
  checkChecksum: verification.checkChecksum,
  getLedger: ledger.getLedger,
  getConsistency: ledger.getConsistency,
  downloadDocumentsZip: exported.downloadDocumentsZip,
  exportDocumentsCsv: exported.exportDocumentsCsv,
  listSavedViews: savedViews.listSavedViews,
  createSavedView: savedViews.createSavedView,
  updateSavedView: savedViews.updateSavedView,
  deleteSavedView: savedViews.deleteSavedView,
  createViewFolder: savedViews.createViewFolder,
  updateViewFolder: savedViews.updateViewFolder,
  deleteViewFolder: savedViews.deleteViewFolder,
  listNotifications: notifications.listNotifications,
  readNotification: notifications.readNotification,
  getStatuteInForce: statute.getStatuteInForce,
  acceptStatute: statute.acceptStatute,
  markStatutePage: statute.markStatutePage,
  getStatute: statute.getStatute,
  getStatuteRenderResult: statute.getStatuteRenderResult,
  getStatutePageImage: statute.getStatutePageImage,
  getStatutePageText: statute.getStatutePageText,
  downloadStatute: statute.downloadStatute,
  publishDocument: publishing.publishDocument,
  checkPublications: publishing.checkPublications,
  openBatch: batches.openBatch,
  addToBatch: batches.addToBatch,
  getBatch: batches.getBatch,
  listBatches: batches.listBatches,
  commitBatch: batches.commitBatch,
  discardBatch: batches.discardBatch,
  getBatchReport: batches.getBatchReport,
  changeDocumentState: documentLife.changeDocumentState,
  holdDocument: documentLife.holdDocument,
  retainDocument: documentLife.retainDocument,
  forgetDocument: documentLife.forgetDocument,
  getDocumentLife: documentLife.getDocumentLife,
  upsertClients: publishing.upsertClients,
  changeClientState: clients.changeClientState,
  getClientHistory: clients.getClientHistory,
  listGroups: groups.listGroups,
  listMembers: groups.listMembers,
  setMembers: groups.setMembers,
  publishStatute: publishing.publishStatute,
  listStatutes: publishing.listStatutes,
  withdrawStatute: publishing.withdrawStatute,
  upsertDictionary: publishing.upsertDictionary,
  listDefinitions: publishing.listDefinitions,
  defineMetadata: publishing.defineMetadata,
  listConfigurationChanges: configuration.listConfigurationChanges,
  removeDemo: publishing.removeDemo,
  upsertCategories: received.upsertCategories,
  listReceived: received.listReceived,
  downloadReceived: received.downloadReceived,
  acknowledgeReceived: received.acknowledgeReceived,
  listUnopened: notices.listUnopened,
  exportUnopened: notices.exportUnopened,
  exportDeliveries: notices.exportDeliveries,
  countNotices: notices.countNotices,
  reportBounce: notices.reportBounce,
  reportDelivery: notices.reportDelivery,
  listWebhooks: webhooks.listWebhooks,
  retryWebhooks: webhooks.retryWebhooks,
} as const;

export type CallName = keyof typeof calls;
