import type { Catalogues } from '../parts.ts';

/** A tag that pages are marked with: `pl`. */
export type Language = string;

/** The sentences that these pages use, of those the catalogues of the product hold. */
export interface Texts {
  readonly product: string;
  readonly service: string;
  readonly title: string;
  readonly enterIdTitle: string;
  readonly whose: string;
  readonly personalId: string;
  readonly changeId: string;
  readonly password: string;
  readonly signIn: string;
  readonly invalidCredentials: string;
  readonly tooManyAttempts: string;
  readonly encrypted: string;
  readonly afterwards: string;
  readonly expired: string;
  readonly expiredLead: string;
  readonly goBack: string;
  readonly failed: string;
  readonly fieldRequired: string;
  readonly notFound: string;
  readonly forgot: string;
  readonly forgotTitle: string;
  readonly forgotLead: string;
  readonly sendLink: string;
  readonly linkRequested: string;
  readonly linkRequestedLead: string;
  readonly setPassword: string;
  readonly linkCode: string;
  readonly linkCodeHint: string;
  readonly activationCode: string;
  readonly activationCodeHint: string;
  readonly activationCodeWrong: string;
  readonly newPassword: string;
  readonly repeatPassword: string;
  readonly passwordRules: string;
  readonly savePassword: string;
  readonly passwordWrongLength: string;
  readonly passwordMissingKinds: string;
  readonly passwordHoldsId: string;
  readonly passwordTooCommon: string;
  readonly passwordsDiffer: string;
  readonly passwordUsedBefore: string;
  readonly linkVoid: string;
  readonly linkVoidLead: string;
  readonly newLink: string;
  readonly passwordSet: string;
  readonly passwordSetLead: string;
  readonly passwordResetLead: string;
  readonly selectLanguage: string;
}

/** Takes the sentences of one language from its catalogue. Throws when one is missing: the start fails instead of a page. */
export const readTexts = (catalogues: Catalogues, language: Language): Texts => {
  const catalogue = catalogues(language);
  const read = (key: string): string => {
    const text = catalogue[key];
    if (text === undefined) throw new Error(`identity: no sentence ${key} in ${language}`);
    return text;
  };
  return {
    product: read('brand.product'),
    service: read('identity.service'),
    title: read('identity.title'),
    enterIdTitle: read('identity.enterIdTitle'),
    whose: read('identity.whose'),
    personalId: read('identity.personalId'),
    changeId: read('identity.changeId'),
    password: read('identity.password'),
    signIn: read('identity.signIn'),
    invalidCredentials: read('identity.invalidCredentials'),
    tooManyAttempts: read('identity.tooManyAttempts'),
    encrypted: read('identity.encrypted'),
    afterwards: read('identity.afterwards'),
    expired: read('identity.expired'),
    expiredLead: read('identity.expiredLead'),
    goBack: read('identity.goBack'),
    failed: read('identity.failed'),
    fieldRequired: read('identity.fieldRequired'),
    notFound: read('identity.notFound'),
    forgot: read('identity.forgot'),
    forgotTitle: read('identity.forgotTitle'),
    forgotLead: read('identity.forgotLead'),
    sendLink: read('identity.sendLink'),
    linkRequested: read('identity.linkRequested'),
    linkRequestedLead: read('identity.linkRequestedLead'),
    setPassword: read('identity.setPassword'),
    linkCode: read('identity.linkCode'),
    linkCodeHint: read('identity.linkCodeHint'),
    activationCode: read('identity.activationCode'),
    activationCodeHint: read('identity.activationCodeHint'),
    activationCodeWrong: read('identity.activationCodeWrong'),
    newPassword: read('identity.newPassword'),
    repeatPassword: read('identity.repeatPassword'),
    passwordRules: read('identity.passwordRules'),
    savePassword: read('identity.savePassword'),
    passwordWrongLength: read('identity.passwordWrongLength'),
    passwordMissingKinds: read('identity.passwordMissingKinds'),
    passwordHoldsId: read('identity.passwordHoldsId'),
    passwordTooCommon: read('identity.passwordTooCommon'),
    passwordsDiffer: read('identity.passwordsDiffer'),
    passwordUsedBefore: read('identity.passwordUsedBefore'),
    linkVoid: read('identity.linkVoid'),
    linkVoidLead: read('identity.linkVoidLead'),
    newLink: read('identity.newLink'),
    passwordSet: read('identity.passwordSet'),
    passwordSetLead: read('identity.passwordSetLead'),
    passwordResetLead: read('identity.passwordResetLead'),
    selectLanguage: read('language.switch'),
  };
};

/** Puts values into a sentence: `ID {{personalId}}`. */
export const fill = (text: string, values: Readonly<Record<string, string>>): string =>
  text.replaceAll(/\{\{(\w+)\}\}/g, (whole, name: string) => values[name] ?? whole);
