import { addMonths, longDay } from '../calendar.ts';
import type { Block } from '../layout/blocks.ts';
import { amount, inWords, percent, spacedAccount, zloty } from '../money.ts';
import { complaints, electronicChannel, finalProvisions, liability, paragraphs, personalData, termination } from './clauses.ts';
import type { Clause } from './clauses.ts';
import { parties, serifWriting, signatures } from './writing.ts';
import type { Occasion, Writing } from './writing.ts';

export function accountAgreement(occasion: Occasion): Writing {
  const { customer } = occasion;
  return agreement(occasion, 'Umowa o prowadzenie rachunku', 'rachunku oszczędnościowo-rozliczeniowego „Nurt”', [
    {
      title: 'Przedmiot umowy',
      points: [
        `Bank otwiera i prowadzi na rzecz Klienta rachunek oszczędnościowo-rozliczeniowy w złotych o numerze **${spacedAccount(customer.accounts.current)}**.`,
        'Rachunek służy do przechowywania środków pieniężnych Klienta oraz do przeprowadzania na jego zlecenie rozliczeń pieniężnych.',
        'Umowę zawarto na czas nieokreślony.',
      ],
    },
    {
      title: 'Prowadzenie rachunku',
      points: [
        'Klient dysponuje środkami do wysokości salda, z uwzględnieniem przyznanego limitu, składając dyspozycje w placówce, telefonicznie albo w bankowości elektronicznej.',
        'Bank wykonuje zlecenia w dniu ich złożenia, jeżeli złożono je do godziny 17.00 w dniu roboczym, a pozostałe – w następnym dniu roboczym.',
        'Środki na rachunku nie są oprocentowane. Odsetki od salda ujemnego nalicza się według stopy równej odsetkom maksymalnym za opóźnienie.',
        {
          text: 'Bank odmawia wykonania zlecenia, jeżeli:',
          letters: [
            'na rachunku brak środków na jego wykonanie,',
            'numer rachunku odbiorcy jest nieprawidłowy,',
            'obowiązek odmowy wynika z przepisów.',
          ],
        },
      ],
    },
    {
      title: 'Wyciągi',
      points: [
        'Bank sporządza wyciąg z rachunku na koniec każdego miesiąca kalendarzowego i udostępnia go nieodpłatnie w portalu dokumentów.',
        'Klient sprawdza wyciąg i zgłasza niezgodność zmian stanu rachunku lub salda w ciągu 14 dni od dnia udostępnienia wyciągu.',
      ],
    },
    {
      title: 'Opłaty i prowizje',
      points: [
        'Za czynności związane z prowadzeniem rachunku Bank pobiera opłaty i prowizje według obowiązującej taryfy, udostępnionej w części publicznej portalu.',
        `Opłata miesięczna za prowadzenie rachunku wynosi ${zloty(900)}. Bank jej nie pobiera, jeżeli suma wpływów w poprzednim miesiącu wyniosła co najmniej ${zloty(200_000)}.`,
        'Bank może zmienić taryfę z ważnych przyczyn w niej wskazanych, zawiadamiając Klienta co najmniej dwa miesiące przed wejściem zmiany w życie.',
      ],
    },
    liability,
    electronicChannel,
    complaints,
    personalData,
    termination('jednomiesięcznego'),
    finalProvisions(),
  ]);
}

export interface LoanTerms {
  grosze: number;
  months: number;
  /** Hundredths of a percent a year. */
  rate: number;
}

export function mortgageAgreement(occasion: Occasion, terms: LoanTerms): Writing {
  const { customer, day } = occasion;
  return agreement(occasion, 'Umowa kredytu hipotecznego', `nr ${occasion.caseNumber}`, [
    {
      title: 'Kwota i przeznaczenie kredytu',
      points: [
        `Bank udziela Kredytobiorcy kredytu w kwocie **${zloty(terms.grosze)}** (słownie: ${inWords(terms.grosze)}).`,
        'Kredyt jest przeznaczony na zakup lokalu mieszkalnego, dla którego sąd rejonowy prowadzi księgę wieczystą, zwanego dalej „Nieruchomością”.',
        'Kredytobiorca nie może przeznaczyć kredytu na inny cel. Bank może żądać dokumentów, które potwierdzają sposób wykorzystania środków.',
      ],
    },
    {
      title: 'Wypłata kredytu',
      points: [
        {
          text: 'Bank wypłaca kredyt jednorazowo, po spełnieniu następujących warunków:',
          letters: [
            'ustanowienie zabezpieczeń, o których mowa w umowie,',
            'wniesienie wkładu własnego w wysokości nie niższej niż 20% ceny Nieruchomości,',
            'przedstawienie aktu notarialnego przenoszącego własność,',
            'opłacenie prowizji i pierwszej składki ubezpieczenia.',
          ],
        },
        'Wypłata następuje w terminie trzech dni roboczych od dnia złożenia dyspozycji, na rachunek zbywcy wskazany w akcie notarialnym.',
        'Jeżeli warunki nie zostaną spełnione w ciągu 90 dni od dnia zawarcia umowy, zobowiązanie Banku do wypłaty wygasa.',
      ],
    },
    {
      title: 'Oprocentowanie',
      points: [
        `Kredyt jest oprocentowany według zmiennej stopy procentowej, która w dniu zawarcia umowy wynosi **${percent(terms.rate)}** w stosunku rocznym.`,
        `Stopa procentowa jest sumą wskaźnika referencyjnego ogłoszonego na ostatni dzień roboczy poprzedniego kwartału oraz stałej marży Banku w wysokości ${percent(195)}.`,
        'O każdej zmianie oprocentowania Bank zawiadamia Kredytobiorcę wraz z nowym harmonogramem spłat.',
        'Odsetki nalicza się za każdy dzień od kwoty pozostałego do spłaty kapitału, przyjmując rzeczywistą liczbę dni w roku.',
      ],
    },
    {
      title: 'Spłata kredytu',
      points: [
        `Kredytobiorca spłaca kredyt w **${terms.months}** miesięcznych ratach równych, płatnych 10. dnia każdego miesiąca, poczynając od ${longDay(firstPayment(day))}.`,
        `Raty są pobierane z rachunku kredytowego o numerze ${spacedAccount(customer.accounts.loan)}. Kredytobiorca zapewnia na nim środki najpóźniej w dniu płatności.`,
        'Jeżeli dzień płatności jest wolny od pracy, rata jest płatna najbliższego dnia roboczego.',
        'Kredytobiorca może w każdym czasie spłacić całość albo część kredytu przed terminem. Po trzech latach od wypłaty Bank nie pobiera za to opłaty.',
      ],
    },
    { title: 'Koszty kredytu', points: loanCosts(terms) },
    {
      title: 'Zabezpieczenia',
      points: [
        {
          text: 'Zabezpieczeniem spłaty kredytu są:',
          letters: [
            `hipoteka umowna na Nieruchomości do kwoty ${zloty(Math.round(terms.grosze * 1.5))}, wpisana na pierwszym miejscu,`,
            'przelew wierzytelności z umowy ubezpieczenia Nieruchomości od ognia i innych zdarzeń losowych,',
            'pełnomocnictwo do rachunku oszczędnościowo-rozliczeniowego Kredytobiorcy.',
          ],
        },
        'Kredytobiorca utrzymuje ubezpieczenie Nieruchomości przez cały okres kredytowania na sumę nie niższą niż kwota pozostałego zadłużenia.',
        'Po całkowitej spłacie Bank wydaje zgodę na wykreślenie hipoteki w terminie 14 dni.',
      ],
    },
    {
      title: 'Opóźnienie w spłacie',
      points: [
        'Od kwoty niespłaconej w terminie Bank nalicza odsetki w wysokości odsetek maksymalnych za opóźnienie.',
        'W razie opóźnienia Bank wzywa Kredytobiorcę do zapłaty, wyznaczając termin nie krótszy niż 14 dni roboczych, i poucza o możliwości złożenia wniosku o restrukturyzację zadłużenia.',
        'Wpłaty zalicza się kolejno na koszty, odsetki za opóźnienie, odsetki umowne i kapitał.',
      ],
    },
    liability,
    electronicChannel,
    complaints,
    personalData,
    termination('trzymiesięcznego'),
    finalProvisions(),
  ]);
}

export function cashLoanAgreement(occasion: Occasion, terms: LoanTerms): Writing {
  const { customer, day } = occasion;
  return agreement(occasion, 'Umowa kredytu gotówkowego', `nr ${occasion.caseNumber}`, [
    {
      title: 'Udzielenie kredytu',
      points: [
        `Bank udziela Kredytobiorcy kredytu w kwocie **${zloty(terms.grosze)}** (słownie: ${inWords(terms.grosze)}) na dowolny cel konsumpcyjny.`,
        `Bank wypłaca kredyt w dniu zawarcia umowy, przelewem na rachunek nr ${spacedAccount(customer.accounts.current)}.`,
        `Okres kredytowania wynosi ${terms.months} miesięcy.`,
      ],
    },
    {
      title: 'Oprocentowanie i spłata',
      points: [
        `Kredyt jest oprocentowany według stałej stopy procentowej, która wynosi **${percent(terms.rate)}** w stosunku rocznym.`,
        `Kredytobiorca spłaca kredyt w ${terms.months} równych ratach, płatnych 10. dnia każdego miesiąca, poczynając od ${longDay(firstPayment(day))}.`,
        'Wysokość rat oraz ich podział na kapitał i odsetki określa harmonogram spłat, który stanowi załącznik do umowy.',
      ],
    },
    { title: 'Całkowity koszt kredytu', points: loanCosts(terms) },
    {
      title: 'Odstąpienie od umowy',
      points: [
        'Kredytobiorca może bez podania przyczyny odstąpić od umowy w terminie 14 dni od dnia jej zawarcia, składając oświadczenie w portalu dokumentów, w placówce albo listownie.',
        'W razie odstąpienia Kredytobiorca zwraca wypłaconą kwotę wraz z odsetkami za okres od dnia wypłaty do dnia spłaty, nie później niż w ciągu 30 dni.',
        'Spłata kredytu przed terminem obniża jego całkowity koszt proporcjonalnie do skróconego okresu kredytowania.',
      ],
    },
    electronicChannel,
    complaints,
    personalData,
    finalProvisions(),
  ]);
}

export function cardAgreement(occasion: Occasion, limit: number): Writing {
  return agreement(occasion, 'Umowa o kartę kredytową', `nr ${occasion.caseNumber}`, [
    {
      title: 'Wydanie karty i limit',
      points: [
        `Bank wydaje Klientowi kartę kredytową i przyznaje limit kredytowy w kwocie **${zloty(limit)}** (słownie: ${inWords(limit)}).`,
        `Transakcje są rozliczane na rachunku karty nr ${spacedAccount(occasion.customer.accounts.card)}.`,
        'Karta jest ważna przez okres wskazany na jej awersie. Klient nadaje numer PIN samodzielnie w bankowości elektronicznej.',
      ],
    },
    {
      title: 'Korzystanie z karty',
      points: [
        {
          text: 'Kartą można:',
          letters: [
            'płacić w punktach handlowych i w Internecie,',
            'wypłacać gotówkę w bankomatach,',
            'płacić zbliżeniowo bez podawania numeru PIN do kwoty 100,00 zł.',
          ],
        },
        'Utratę karty Klient zgłasza bez zwłoki, przez całą dobę, pod numerem telefonu podanym w portalu.',
      ],
    },
    {
      title: 'Rozliczenie',
      points: [
        'Okres rozliczeniowy trwa miesiąc. Na jego koniec Bank sporządza wyciąg i wskazuje kwotę minimalną do spłaty oraz dzień płatności.',
        'Od transakcji bezgotówkowych nie nalicza się odsetek, jeżeli Klient spłaci całe zadłużenie w terminie wskazanym w wyciągu.',
        `Zadłużenie niespłacone w całości jest oprocentowane według stopy ${percent(1350)} w stosunku rocznym.`,
      ],
    },
    liability,
    complaints,
    finalProvisions(),
  ]);
}

export function depositAgreement(occasion: Occasion, terms: LoanTerms): Writing {
  const end = addMonths(occasion.day, terms.months);
  return agreement(occasion, 'Umowa lokaty terminowej', `nr ${occasion.caseNumber}`, [
    {
      title: 'Warunki lokaty',
      points: [
        `Klient powierza Bankowi kwotę **${zloty(terms.grosze)}** (słownie: ${inWords(terms.grosze)}) na okres ${terms.months} miesięcy, do dnia ${longDay(end)}.`,
        `Lokata jest oprocentowana według stałej stopy **${percent(terms.rate)}** w stosunku rocznym.`,
        `Odsetki za cały okres wynoszą ${zloty(Math.round((terms.grosze * terms.rate * terms.months) / 12 / 10_000))} przed potrąceniem podatku i są wypłacane w dniu zapadalności.`,
      ],
    },
    {
      title: 'Zerwanie i odnowienie',
      points: [
        'Klient może wypłacić środki przed terminem zapadalności. Odsetki za zerwany okres nie są wówczas należne.',
        'Lokata nie odnawia się samoczynnie. W dniu zapadalności Bank przekazuje środki wraz z odsetkami na rachunek Klienta.',
      ],
    },
    complaints,
    finalProvisions(),
  ]);
}

export function onlineBankingAgreement(occasion: Occasion): Writing {
  return agreement(occasion, 'Umowa o bankowość elektroniczną', `nr ${occasion.caseNumber}`, [
    {
      title: 'Zakres usług',
      points: [
        {
          text: 'Bank udostępnia Klientowi usługi bankowości elektronicznej, które umożliwiają:',
          letters: [
            'uzyskiwanie informacji o rachunkach i produktach,',
            'składanie dyspozycji i zleceń płatniczych,',
            'odbieranie, sprawdzanie i wysyłanie dokumentów w portalu dokumentów.',
          ],
        },
        'Usługi są dostępne przez całą dobę, z wyjątkiem przerw koniecznych do prac technicznych, o których Bank uprzedza.',
      ],
    },
    {
      title: 'Uwierzytelnienie',
      points: [
        'Klient loguje się identyfikatorem klienta i hasłem. Bank może żądać dodatkowego potwierdzenia czynności.',
        'Bank nigdy nie prosi o podanie hasła w rozmowie telefonicznej ani w wiadomości.',
        'Po kolejnych nieudanych próbach dostęp jest czasowo blokowany.',
      ],
    },
    liability,
    electronicChannel,
    complaints,
    termination('jednomiesięcznego'),
    finalProvisions(),
  ]);
}

function agreement(occasion: Occasion, title: string, about: string, clauses: readonly Clause[]): Writing {
  const role = title.includes('kredytu') ? 'Kredytobiorcą' : 'Klientem';
  const blocks: Block[] = [
    { kind: 'title', text: title, lines: [about, `zawarta w dniu ${longDay(occasion.day)} w Gdańsku pomiędzy:`] },
    parties(occasion.customer, role),
    ...paragraphs(clauses),
    signatures(occasion.customer),
  ];
  return serifWriting(occasion, { title, subject: `${title} ${about}`, blocks });
}

function loanCosts(terms: LoanTerms): Clause['points'] {
  const commission = Math.round(terms.grosze * 0.015);
  const interest = Math.round(installment(terms) * terms.months - terms.grosze);
  return [
    {
      text: 'Na całkowity koszt kredytu składają się:',
      letters: [
        `prowizja za udzielenie kredytu w kwocie ${amount(commission)} zł,`,
        `odsetki szacowane w dniu zawarcia umowy na ${amount(interest)} zł.`,
      ],
    },
    `Całkowita kwota do zapłaty przez Kredytobiorcę, ustalona w dniu zawarcia umowy, wynosi **${zloty(terms.grosze + commission + interest)}**.`,
    'Bank nie pobiera opłaty za prowadzenie rachunku kredytowego, za sporządzenie harmonogramu ani za zaświadczenie o wysokości zadłużenia, wydawane raz w roku.',
  ];
}

/** Equal monthly payment in grosze. */
export function installment({ grosze, months, rate }: LoanTerms): number {
  const monthly = rate / 10_000 / 12;
  return Math.round((grosze * monthly) / (1 - (1 + monthly) ** -months));
}

/** The 10th of the next month. */
export function firstPayment(day: Date): Date {
  const month = addMonths(day, 1);
  return new Date(Date.UTC(month.getUTCFullYear(), month.getUTCMonth(), 10));
}
