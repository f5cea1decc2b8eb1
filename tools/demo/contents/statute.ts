import { longDay } from '../calendar.ts';
import { complaints, paragraphs, personalData } from './clauses.ts';
import type { Clause } from './clauses.ts';
import type { Writing } from './writing.ts';

export function portalStatute(version: number, effectiveFrom: Date): Writing {
  const title = 'Regulamin świadczenia usług w portalu dokumentów „Pergamin”';
  return {
    title,
    subject: `${title}, wersja ${version}`,
    family: 'serif',
    letterhead: {
      right: [`Wersja ${version}`, `obowiązuje od ${longDay(effectiveFrom)}`],
      running: `Regulamin portalu dokumentów, wersja ${version}`,
    },
    blocks: [{ kind: 'title', text: title }, ...paragraphs(clausesOf(version))],
  };
}

function clausesOf(version: number): Clause[] {
  return [
    general,
    definitions,
    access,
    delivery,
    ...(version >= 3 ? [selfCheck] : []),
    ...(version >= 2 ? [sending] : []),
    retention,
    requirements,
    availability,
    security,
    notifications,
    complaints,
    personalData,
    changes,
  ];
}

const general: Clause = {
  title: 'Postanowienia ogólne',
  points: [
    'Regulamin określa zasady udostępniania Klientom dokumentów w postaci elektronicznej na trwałym nośniku.',
    'Trwały nośnik oznacza rozwiązanie, które umożliwia Klientowi przechowywanie dokumentu w niezmienionej postaci przez okres właściwy do celu, w jakim został sporządzony.',
    'Dokument uznaje się za doręczony z chwilą jego udostępnienia i zawiadomienia Klienta wybranym kanałem.',
    'Korzystanie z portalu jest nieodpłatne. Klient ponosi jedynie koszt połączenia z Internetem według cennika swojego dostawcy.',
  ],
};

const definitions: Clause = {
  title: 'Definicje',
  points: [
    {
      text: 'Użyte w regulaminie określenia oznaczają:',
      letters: [
        '**Bank** – Bank Wiślany S.A. z siedzibą w Gdańsku, ul. Nadbrzeżna 12,',
        '**Klient** – osobę, która zawarła z Bankiem umowę i otrzymała identyfikator,',
        '**portal** – serwis „Pergamin”, w którym Bank udostępnia dokumenty,',
        '**dokument** – plik w formacie PDF wraz z opisem, opublikowany przez Bank,',
        '**suma kontrolna** – ciąg znaków obliczony z treści pliku, który zmienia się przy każdej zmianie pliku,',
        '**rejestr** – zapis zdarzeń dotyczących dokumentów, do którego można tylko dopisywać.',
      ],
    },
  ],
};

const access: Clause = {
  title: 'Dostęp do portalu',
  points: [
    'Dostęp wymaga uwierzytelnienia identyfikatorem Klienta i hasłem.',
    'Przy pierwszym logowaniu Klient zapoznaje się z regulaminem i akceptuje go. Bez akceptacji menu i okna portalu są niedostępne.',
    'Klient zachowuje dostęp do dokumentów także po rozwiązaniu umowy, przez cały okres ich przechowywania.',
    'Sesja wygasa po upływie czasu bezczynności podanego w portalu. Klient może ją w każdej chwili zakończyć.',
    'Dokumenty publiczne są dostępne bez logowania.',
  ],
};

const delivery: Clause = {
  title: 'Udostępnianie dokumentów',
  points: [
    'Bank publikuje w portalu umowy, aneksy, wyciągi, zawiadomienia oraz inne dokumenty związane z umowami zawartymi z Klientem.',
    'O publikacji Bank zawiadamia pocztą elektroniczną albo wiadomością SMS. Zawiadomienie nie zawiera treści dokumentu.',
    'Dokument nieprzeczytany jest na liście wyróżniony. Oznacza się go jako przeczytany po wyświetleniu wszystkich stron.',
    {
      text: 'Klient może:',
      letters: [
        'przeglądać dokument strona po stronie,',
        'wyszukiwać w nim tekst i go drukować,',
        'pobrać plik w postaci identycznej z opublikowaną,',
        'filtrować i porządkować listę dokumentów.',
      ],
    },
  ],
};

const selfCheck: Clause = {
  title: 'Samodzielne sprawdzanie dokumentów',
  points: [
    'Klient może samodzielnie sprawdzić, czy dokument nie został zmieniony od dnia publikacji.',
    'Sprawdzenie polega na ponownym obliczeniu sumy kontrolnej i porównaniu jej z wpisem w rejestrze. Plik sprawdzany na urządzeniu Klienta nie jest wysyłany do Banku.',
    'Na żądanie Klienta portal wystawia potwierdzenie, które można zweryfikować bez udziału Banku.',
    'Niezgodność sumy kontrolnej należy niezwłocznie zgłosić. Bank wyjaśnia jej przyczynę w terminie 7 dni roboczych.',
  ],
};

const sending: Clause = {
  title: 'Wysyłanie dokumentów do Banku',
  points: [
    'Klient może wysłać do Banku dokument w formacie PDF, wskazując jego kategorię i rodzaj. Wielkość pliku nie może przekraczać 5 MB.',
    'Bank potwierdza przyjęcie dokumentu w portalu. Chwilą złożenia dokumentu jest chwila zapisania go w portalu.',
    'Bank odrzuca pliki zaszyfrowane, uszkodzone oraz zawierające aktywną treść.',
  ],
};

const retention: Clause = {
  title: 'Przechowywanie',
  points: [
    'Bank nie może usunąć ani zmienić opublikowanego dokumentu przed upływem okresu przechowywania wskazanego w jego szczegółach.',
    'Okres przechowywania może zostać przedłużony, lecz nie może zostać skrócony.',
    'Nowa wersja dokumentu nie zastępuje poprzedniej: obie pozostają dostępne, a wersja poprzednia jest oznaczona jako nieaktualna.',
  ],
};

const requirements: Clause = {
  title: 'Wymagania techniczne',
  points: [
    {
      text: 'Do korzystania z portalu potrzebne są:',
      letters: [
        'urządzenie z dostępem do Internetu,',
        'aktualna wersja przeglądarki z włączoną obsługą skryptów i plików cookie,',
        'program do otwierania plików PDF, jeżeli Klient chce pobierać dokumenty.',
      ],
    },
    'Portal można obsługiwać wyłącznie klawiaturą oraz za pomocą czytnika ekranu.',
  ],
};

const availability: Clause = {
  title: 'Dostępność portalu',
  points: [
    'Portal działa przez całą dobę, we wszystkie dni roku, z wyjątkiem przerw koniecznych do prac technicznych.',
    'O planowanej przerwie Bank uprzedza na stronie logowania co najmniej dwa dni wcześniej. Prace prowadzi się w miarę możliwości w nocy.',
    'Jeżeli dokument powinien zostać doręczony w czasie przerwy, Bank udostępnia go niezwłocznie po jej zakończeniu, a terminy biegną od dnia udostępnienia.',
    'W razie przerwy dłuższej niż 48 godzin Bank na żądanie Klienta wydaje dokument w postaci papierowej, bez opłaty.',
  ],
};

const notifications: Clause = {
  title: 'Powiadomienia i dane kontaktowe',
  points: [
    'Klient wybiera w portalu kanał powiadomień: pocztę elektroniczną albo wiadomości SMS. Zmiana obowiązuje od chwili jej zapisania.',
    'Klient utrzymuje aktualny adres poczty elektronicznej i numer telefonu. Skutki podania nieaktualnych danych obciążają Klienta.',
    {
      text: 'Bank zawiadamia Klienta o:',
      letters: [
        'udostępnieniu nowego dokumentu,',
        'zmianie danych kontaktowych i hasła,',
        'nowej wersji regulaminu,',
        'zdarzeniach istotnych dla bezpieczeństwa konta.',
      ],
    },
    'Powiadomienia w portalu są widoczne do czasu ich usunięcia przez Klienta.',
  ],
};

const security: Clause = {
  title: 'Bezpieczeństwo',
  points: [
    'Klient chroni hasło i nie udostępnia go innym osobom. Bank nigdy nie prosi o hasło w wiadomości ani w rozmowie telefonicznej.',
    'Klient nie może dostarczać treści bezprawnych ani podejmować działań, które zakłócają pracę portalu.',
    'O podejrzeniu, że dostęp uzyskała osoba nieuprawniona, Klient zawiadamia Bank bez zwłoki. Bank blokuje wówczas dostęp.',
    'Zawiadomienia wysyłane przez Bank nie zawierają odsyłaczy do stron logowania innych niż adres portalu.',
  ],
};

const changes: Clause = {
  title: 'Zmiana regulaminu',
  points: [
    {
      text: 'Bank może zmienić regulamin, jeżeli:',
      letters: [
        'zmieniają się przepisy dotyczące usług świadczonych w portalu,',
        'wprowadzane są nowe funkcje portalu,',
        'wymaga tego bezpieczeństwo dokumentów.',
      ],
    },
    'Nową wersję Bank przedstawia Klientowi przy logowaniu wraz z opisem zmian. Warunkiem dalszego korzystania z portalu jest jej akceptacja.',
    'Klient, który nie akceptuje zmian, może zażądać dokumentów w postaci papierowej albo na innym trwałym nośniku.',
    'W sprawach nieuregulowanych stosuje się przepisy prawa polskiego.',
  ],
};
