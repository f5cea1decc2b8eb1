import { errorCodes } from '@pergamin/contract';
import { expect, test } from 'vitest';
import { sentences } from './page.fixture.tsx';

const forms = { EN: ['one', 'other'], PL: ['one', 'few', 'many', 'other'] } as const;

const catalogue = (language: 'PL' | 'EN'): ReadonlyMap<string, string> => new Map(Object.entries(sentences[language]));
const baseOf = (key: string) => key.replace(/_(one|few|many|other)$/, '');
const compare = (one: string, other: string) => one.localeCompare(other);
const placeholdersOf = (sentence: string | undefined) =>
  [...(sentence ?? '').matchAll(/\{\{(\w+)\}\}/g)].map((found) => found[1] ?? '').toSorted(compare);

const expectSaid = (fixed: Readonly<Record<string, readonly [english: string, polish: string]>>): void => {
  const said = (key: string) => [catalogue('EN').get(key), catalogue('PL').get(key)];
  expect(Object.fromEntries(Object.keys(fixed).map((key) => [key, said(key)]))).toEqual(fixed);
};

test('both catalogues hold the same sentences', () => {
  const [polish, english] = [catalogue('PL'), catalogue('EN')].map((map) => [...new Set([...map.keys()].map(baseOf))].toSorted(compare));
  expect(polish).toEqual(english);
});

test('every counted sentence has all the plural forms of its language', () => {
  for (const language of ['PL', 'EN'] as const) {
    const map = catalogue(language);
    const counted = [...new Set([...map.keys()].filter((key) => baseOf(key) !== key).map(baseOf))];
    expect(counted).not.toEqual([]);
    const missing = counted.flatMap((base) => forms[language].map((form) => `${base}_${form}`)).filter((key) => !map.has(key));
    expect(missing).toEqual([]);
  }
});

test('translations have the same placeholders', () => {
  const english = catalogue('EN');
  for (const [key, sentence] of catalogue('PL')) {
    const original = english.get(key) ?? english.get(`${baseOf(key)}_other`);
    // Of one thing, the number need not be said.
    const said = (text: string | undefined) => placeholdersOf(text).filter((name) => !(key.endsWith('_one') && name === 'count'));
    expect({ key, placeholders: said(sentence) }).toEqual({ key, placeholders: said(original) });
  }
});

test('every server code has a sentence in both languages', () => {
  const codes = Object.keys(errorCodes);
  expect(codes).toHaveLength(26);
  expect(codes.filter((code) => !catalogue('PL').get(`code.${code}`) || !catalogue('EN').get(`code.${code}`))).toEqual([]);
});

test('wording that the specification fixes is kept letter by letter, and its translation', () => {
  const fixed: Record<string, readonly [english: string, polish: string]> = {
    'signIn.enterYourId': ['Enter Your ID', 'Wpisz swój identyfikator'],
    'signIn.signIn': ['Sign in', 'Zaloguj się'],
    'signIn.invalidCredentials': ['Invalid credentials', 'Nieprawidłowe dane logowania'],
    'signIn.unexpectedError': ['Unexpected authentication error', 'Nieoczekiwany błąd uwierzytelniania'],
    'signIn.loginProblem': ['Login problem. Please try again later', 'Problem z logowaniem. Spróbuj ponownie później'],
    'signIn.or': ['Or', 'Lub'],
    'session.expiresIn': ['session expires in', 'Sesja wygaśnie za'],
    'session.noLongerActive': ['Your session is no longer active', 'Twoja sesja nie jest już aktywna'],
    'error.network': ['Network Error', 'Błąd sieci'],
    'error.default': ['Sorry, there was a problem. Please try again later', 'Przepraszamy, wystąpił problem. Spróbuj ponownie później'],
    'error.process': ['Process error', 'Błąd przetwarzania'],
    'error.required': ['Required', 'Wymagane'],
    'error.fieldRequired': ['Field required', 'Pole wymagane'],
    'error.invalidValue': ['Invalid value', 'Nieprawidłowa wartość'],
    'error.alphanumericOnly': ['Only alphanumeric values allowed', 'Dozwolone są tylko litery i cyfry'],
    'error.wrongEmail': ['Wrong email', 'Nieprawidłowy adres e-mail'],
    'error.numericOnly': ['Only numeric characters available', 'Dozwolone są tylko cyfry'],
    'error.phoneWithCountryCode': [
      'Only phone numbers with country code',
      'Dozwolone są tylko numery telefonu z numerem kierunkowym kraju',
    ],
    'error.longerThan_other': ['Field should be longer then {{count}} characters', 'Pole powinno mieć więcej niż {{count}} znaku'],
    'error.notLongerThan_other': ['Field cannot be longer then {{count}} characters', 'Pole nie może mieć więcej niż {{count}} znaku'],
    'error.tryAgain': ['Try again', 'Spróbuj ponownie'],
    'menu.documents': ['documents', 'Dokumenty'],
    'menu.selectLanguage': ['select language', 'Wybierz język'],
    'menu.changePassword': ['change password', 'Zmień hasło'],
    'menu.resetPassword': ['reset password', 'Zresetuj hasło'],
    'password.old': ['old password', 'Stare hasło'],
    'password.new': ['new password', 'Nowe hasło'],
    'password.repeat': ['repeat new password', 'Powtórz nowe hasło'],
    'password.different': ['Passwords are different', 'Hasła są różne'],
    'password.invalidOld': ['Invalid old password', 'Nieprawidłowe stare hasło'],
    'password.mustDiffer': ['new password must differ from old', 'Nowe hasło musi różnić się od starego'],
    'password.PASSWORD_EXISTS_other': [
      'Your password cannot be the same as the last {{count}}',
      'Hasło nie może być takie samo jak jedno z {{count}} ostatnich haseł',
    ],
    'password.PASSWORD_EXISTS_MORE_THAN_FIVE': [
      'Your password cannot be the same as the last {{count}}',
      'Hasło nie może być takie samo jak żadne z ostatnich {{count}} haseł',
    ],
    'password.changed': ['Updated successfully', 'Zaktualizowano pomyślnie'],
    'password.linkSent': ['Password reset link was send.', 'Link do zresetowania hasła został wysłany.'],
    'password.linkFailed': ['An error occurred while trying to send a message', 'Podczas próby wysłania wiadomości wystąpił błąd'],
    'menu.logout': ['logout', 'Wyloguj się'],
    'publicView.title': ['public documents', 'Dokumenty publiczne'],
    'documents.received': ['documents received', 'Dokumenty otrzymane'],
    'dialog.ok': ['OK', 'OK'],
    'column.productGroup': ['product group', 'Grupa produktowa'],
    'column.accountNumber': ['account number', 'Numer rachunku'],
    'column.caseNumber': ['case number', 'Numer sprawy'],
    'column.registrationDate': ['registration date', 'Data rejestracji'],
    'list.show': ['show', 'Pokaż'],
    'list.download': ['download', 'Pobierz'],
    'list.check': ['check', 'Sprawdź'],
    'list.refresh': ['refresh', 'Odśwież'],
    'list.empty': ['No data', 'Brak danych'],
    'list.emptyLead': ['There is nothing to show', 'Nie ma nic do wyświetlenia'],
    'date.none': ['N/A', 'N/A'],
    'date.indefinite': ['bezterminowo', 'bezterminowo'],
    'viewer.done': ['done', 'Gotowe'],
    'viewer.close': ['close', 'Zamknij'],
    'viewer.notFound': ['Document not found', 'Nie znaleziono dokumentu'],
    'check.SHA_CIF_OK': ['The document was correctly verified', 'Dokument został pomyślnie zweryfikowany'],
    'code.INTERNAL_SERVER_ERROR': [
      'Sorry, there was a problem. Please try again later',
      'Przepraszamy, wystąpił problem. Spróbuj ponownie później',
    ],
    'code.VALIDATION_ERROR': ['Validation error', 'Błąd walidacji'],
    'code.RENDER_ERROR': ['Sorry, there was a problem. Please try again later', 'Przepraszamy, wystąpił problem. Spróbuj ponownie później'],
    'code.INVALID_STATUS': ['Invalid document state', 'Nieprawidłowy stan dokumentu'],
    'code.INVALID_SHA256': ['Invalid document checksum', 'Nieprawidłowa suma kontrolna dokumentu'],
    'code.INVALID_DOC_TYPE': ['Invalid document type', 'Nieprawidłowy typ dokumentu'],
    'code.DUPLICATE_BC': ['The metadata could not be accessed', 'Nie udało się uzyskać dostępu do metadanych'],
    'code.DOCUMENT_NOT_FOUND_ERROR': ['Document not found', 'Nie znaleziono dokumentu'],
    'code.DOCUMENT_METADATA_ERROR': ['The metadata could not be accessed', 'Nie udało się uzyskać dostępu do metadanych'],
    'code.DOCUMENT_MAX_SIZE_ERROR': ['The file size is too large. The allowed size: 5MB', 'Plik jest za duży. Dozwolony rozmiar: 5 MB'],
    'code.RESOURCE_NOT_FOUND': ['Not found', 'Nie znaleziono'],
    'code.INVALID_CREDENTIALS_ERROR': ['Invalid credentials', 'Nieprawidłowe dane logowania'],
    'identity.invalidCredentials': ['Invalid credentials', 'Nieprawidłowe dane logowania'],
    'identity.fieldRequired': ['Field required', 'Pole wymagane'],
  };
  expectSaid(fixed);
});

test('so is that of lists, sending, the account and notices', () => {
  expectSaid({
    'statements.title': ['statements', 'Wyciągi'],
    'account.title': ['account', 'Konto użytkownika'],
    'sent.title': ['documents sent', 'Dokumenty wysłane'],
    'whatsNew.title': ["what's new", 'Co nowego'],
    'whatsNew.version': ['version {{version}}', 'wersja {{version}}'],
    'column.documentGroup': ['document group', 'Grupa produktowa'],
    'column.statementNumber': ['statement number', 'Numer wyciągu'],
    'column.documentType': ['document type', 'Rodzaj dokumentu'],
    'column.statementDate': ['statement date', 'Data wyciągu'],
    'column.periodStart': ['period start', 'Początek okresu'],
    'column.periodEnd': ['period end', 'Koniec okresu'],
    'column.fileName': ['file name', 'Nazwa pliku'],
    'column.durationDescription': ['duration description', 'Opis okresu obowiązywania'],
    'sending.category': ['category', 'Kategoria'],
    'sending.type': ['type', 'Typ'],
    'sent.sendDate': ['send date', 'Data wysłania'],
    'sent.sentAfter': ['send date after', 'Wysłano po'],
    'sent.sentBefore': ['send date before', 'Wysłano przed'],
    'list.verify': ['verify', 'Zweryfikuj'],
    'filters.period': ['period', 'Okres'],
    'filters.apply': ['apply', 'Zastosuj'],
    'filters.clear': ['clear', 'Wyczyść'],
    'period.CURRENT_MONTH': ['last 30 days', 'Ostatnie 30 dni'],
    'period.LAST_3_MONTHS': ['last 3 months', 'Ostatnie 3 miesiące'],
    'period.LAST_6_MONTHS': ['last 6 months', 'Ostatnie 6 miesięcy'],
    'period.CURRENT_YEAR': ['current year', 'Bieżący rok'],
    'filters.noDate': ['no date selected', 'Nie wybrano daty'],
    'filters.wrongDate': ['wrong date selected', 'Wybrano nieprawidłową datę'],
    'filters.selectRegistrationDate': ['Select document registration date', 'Wybierz datę rejestracji dokumentu'],
    'filters.selectCorrectRegistrationDate': ['Select correct document registration date', 'Wybierz poprawną datę rejestracji dokumentu'],
    'sending.send': ['send documents', 'Wyślij dokumenty'],
    'sending.sendAgain': ['send again', 'Wyślij ponownie'],
    'sending.tryAgain': ['Try again', 'Spróbuj ponownie'],
    'sending.next': ['Next', 'Dalej'],
    'sending.back': ['Back', 'Wstecz'],
    'sending.close': ['close', 'Zamknij'],
    'sending.oneFile': ['Select only one file', 'Wybierz tylko jeden plik'],
    'sending.wrongType': ['Invalid type format', 'Nieprawidłowy format pliku'],
    'sending.selectCategory': ['Select the category of document', 'Wybierz kategorię dokumentu'],
    'sending.selectType': ['Select the type of document', 'Wybierz typ dokumentu'],
    'account.saved': ['Saved successfully', 'Zapisano pomyślnie'],
    'account.updated': ['Updated successfully', 'Zaktualizowano pomyślnie'],
    'notifications.newDocuments': ['new documents available', 'Dostępne są nowe dokumenty'],
    'notifications.published': ['new document published', 'Opublikowano nowy dokument'],
    'notifications.dataUpdated': ['personal data updated', 'Zaktualizowano dane osobowe'],
    'notifications.clearAll': ['clear all', 'Wyczyść wszystko'],
  });
});

test('rows that are selected are counted in English letter by letter, in Polish as one counts', () => {
  for (const form of forms.EN) expect(catalogue('EN').get(`list.selected_${form}`)).toBe('{{count}} row(s) selected');
  expect(forms.PL.map((form) => catalogue('PL').get(`list.selected_${form}`))).toEqual([
    'Zaznaczono {{count}} wiersz',
    'Zaznaczono {{count}} wiersze',
    'Zaznaczono {{count}} wierszy',
    'Zaznaczono {{count}} wiersza',
  ]);
});

test('every server code is told in these words', () => {
  expectSaid({
    'code.INTERNAL_SERVER_ERROR': [
      'Sorry, there was a problem. Please try again later',
      'Przepraszamy, wystąpił problem. Spróbuj ponownie później',
    ],
    'code.CALL_NOT_PERMITTED': ['This operation is not permitted at the moment', 'Ta operacja jest w tej chwili niedozwolona'],
    'code.VALIDATION_ERROR': ['Validation error', 'Błąd walidacji'],
    'code.STORAGE_ERROR': [
      'The document storage reported an error. Please try again later',
      'Magazyn dokumentów zgłosił błąd. Spróbuj ponownie później',
    ],
    'code.BC_ERROR': ['The document register could not confirm the operation', 'Rejestr dokumentów nie mógł potwierdzić operacji'],
    'code.RENDER_ERROR': ['Sorry, there was a problem. Please try again later', 'Przepraszamy, wystąpił problem. Spróbuj ponownie później'],
    'code.SIGNATURE_INVALID': ['The document signature is invalid', 'Podpis dokumentu jest nieprawidłowy'],
    'code.SIGNATURE_NOT_FOUND': ['The document is not signed', 'Dokument nie jest podpisany'],
    'code.INVALID_DATE_RANGE': ['Invalid date range', 'Nieprawidłowy zakres dat'],
    'code.INVALID_STATUS': ['Invalid document state', 'Nieprawidłowy stan dokumentu'],
    'code.INVALID_SHA256': ['Invalid document checksum', 'Nieprawidłowa suma kontrolna dokumentu'],
    'code.INVALID_DOC_TYPE': ['Invalid document type', 'Nieprawidłowy typ dokumentu'],
    'code.DUPLICATE_HCP': [
      'The archive already holds an object with this identifier',
      'W archiwum istnieje już obiekt o tym identyfikatorze',
    ],
    'code.DUPLICATE_BC': ['The metadata could not be accessed', 'Nie udało się uzyskać dostępu do metadanych'],
    'code.NOT_FOUND_BC': ['The document has no entry in the register', 'Dokument nie ma wpisu w rejestrze'],
    'code.ACCESS_DENIED': ['You do not have access to this resource', 'Brak dostępu do tego zasobu'],
    'code.DOCUMENT_NOT_FOUND_ERROR': ['Document not found', 'Nie znaleziono dokumentu'],
    'code.DOCUMENT_REMOVE_ERROR': ['The document could not be removed', 'Nie udało się usunąć dokumentu'],
    'code.DOCUMENT_RELOCATE_ERROR': ['The document could not be moved', 'Nie udało się przenieść dokumentu'],
    'code.DOCUMENT_METADATA_ERROR': ['The metadata could not be accessed', 'Nie udało się uzyskać dostępu do metadanych'],
    'code.DOCUMENT_UPLOAD_ERROR': ['The document could not be uploaded', 'Nie udało się przesłać dokumentu'],
    'code.DOCUMENT_RETENTION_ERROR': [
      'The retention period does not allow this operation',
      'Okres przechowywania dokumentu nie pozwala na tę operację',
    ],
    'code.DOCUMENT_MAX_SIZE_ERROR': ['The file size is too large. The allowed size: 5MB', 'Plik jest za duży. Dozwolony rozmiar: 5 MB'],
    'code.RESOURCE_NOT_FOUND': ['Not found', 'Nie znaleziono'],
    'code.RESOURCE_DUPLICATE': ['Such a resource already exists', 'Taki zasób już istnieje'],
    'code.INVALID_CREDENTIALS_ERROR': ['Invalid credentials', 'Nieprawidłowe dane logowania'],
  });
});

test('so is every message of verification, history, sending, the account and notices', () => {
  expectSaid({
    'check.SHA_CIF_OK': ['The document was correctly verified', 'Dokument został pomyślnie zweryfikowany'],
    'check.CIF_NOT_EQUAL': [
      'The document owner identifier (CIF) does not match',
      'Identyfikator właściciela dokumentu (CIF) jest niezgodny',
    ],
    'check.SHA_NOT_EQUAL': ['The document checksum does not match', 'Suma kontrolna dokumentu jest niezgodna'],
    'check.SHA_CIF_NOK': ['The document could not be verified', 'Weryfikacja dokumentu nie powiodła się'],
    'check.DOCUMENT_NOT_EXIST': ['The file does not exist or was deleted', 'Plik nie istnieje lub został usunięty'],
    'check.forbidden': ['The document checksum does not match', 'Suma kontrolna dokumentu jest niezgodna'],
    'statute.checksumMismatch': ['The document checksum does not match', 'Suma kontrolna dokumentu jest niezgodna'],
    'verify.required': ['Value cannot be null', 'Wartość nie może być pusta'],
    'verify.file': ['File', 'Plik'],
    'verify.checksum': ['Checksum', 'Suma kontrolna'],
    'verify.stays': ['The file stays on your device', 'Plik nie opuszcza Twojego urządzenia'],
    'verify.title': ['document verification', 'Weryfikacja dokumentu'],
    'history.title': ['Document history', 'Historia dokumentu'],
    'history.DOWNLOADED': ['download date', 'Pobrano po raz pierwszy'],
    'history.READ': ['read date', 'Przeczytano do końca'],
    'history.STATE_CHANGED': ['modification date', 'Data modyfikacji'],
    'list.checkAfterReading': ['You can verify the document after reading it', 'Dokument można zweryfikować po przeczytaniu'],
    'list.downloadOnly': ['This document can only be downloaded', 'Ten dokument można tylko pobrać'],
    'viewer.markedRead': ['The document has been marked as read', 'Dokument został oznaczony jako przeczytany'],
    'statute.accepted': ['The terms have been accepted', 'Regulamin został zaakceptowany'],
    'sending.PENDING': ['Waiting', 'Oczekuje'],
    'sending.IN_PROGRESS': ['Sending', 'Wysyłanie'],
    'sending.SENT': ['Sent', 'Wysłano'],
    'sending.ERROR': ['Error', 'Błąd'],
    'sending.addFile': ['Add file', 'Dodaj plik'],
    'sending.removeFile': ['Remove file: {{name}}', 'Usuń plik: {{name}}'],
    'sending.summary': ['Summary', 'Podsumowanie'],
    'sending.leaveQuestion': [
      'There are files that have not been sent. Leave anyway?',
      'Niektóre pliki nie zostały wysłane. Czy mimo to chcesz wyjść?',
    ],
    'account.personalId': ['Client ID', 'Identyfikator klienta'],
    'account.firstName': ['First name', 'Imię'],
    'account.lastName': ['Last name', 'Nazwisko'],
    'account.email': ['Email', 'Adres e-mail'],
    'account.phone': ['Phone', 'Numer telefonu'],
    'account.previousLogin': ['Previous successful login', 'Poprzednie udane logowanie'],
    'account.lastFailedLogin': ['Last failed login', 'Ostatnie nieudane logowanie'],
    'account.channel': ['Preferred channel', 'Preferowany kanał powiadomień'],
    'account.EMAIL': ['Email', 'E-mail'],
    'account.SMS': ['SMS', 'SMS'],
    'password.missingKinds': [
      'The password needs a lowercase letter, an uppercase letter and a digit',
      'Hasło musi zawierać małą literę, wielką literę i cyfrę',
    ],
    'password.askReset': ['Send a password reset link?', 'Wysłać link do zresetowania hasła?'],
    'notifications.title': ['Notifications', 'Powiadomienia'],
    'notifications.none': ['No notifications', 'Brak powiadomień'],
    'notifications.remove': ['Remove notification: {{name}}', 'Usuń powiadomienie: {{name}}'],
    'notifications.newDocument': ['New document', 'Nowy dokument'],
    'notifications.accountUpdate': ['Account update', 'Zmiana danych konta'],
    'state.ACTIVE': ['Active', 'Aktywny'],
    'state.CANCELLED': ['Cancelled', 'Anulowany'],
    'state.OBSOLETE': ['Obsolete', 'Nieaktualny'],
    'state.DELETED': ['Deleted', 'Usunięty'],
    'state.FORGOTTEN': ['Forgotten', 'Zapomniany'],
  });
});
