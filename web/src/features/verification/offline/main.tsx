import './offline.css';
import { createRoot } from 'react-dom/client';
import english from '../../../../../languages/en.json';
import polish from '../../../../../languages/pl.json';
import { sessionStorageKeys, type LanguageCode } from '@pergamin/contract';
import { speak } from '#platform/language.ts';
import { OfflinePage } from './OfflinePage.tsx';

/** The whole of verify.html: it asks no one, and knows nothing of the portal but the words. */
const sentences = {
  PL: polish,
  EN: english,
} as const;
const zone = { 'brand.timeZone': Intl.DateTimeFormat().resolvedOptions().timeZone };

const element = document.getElementById('root');
if (element === null) throw new Error('The page has no root element');
const root = createRoot(element);

const show = async (language: 'PL' | 'EN'): Promise<void> => {
  sessionStorage.setItem(sessionStorageKeys.language, language satisfies LanguageCode);
  await speak(language, { ...sentences[language], ...zone });
  root.render(<OfflinePage key={language} language={language} onLanguage={(other) => void show(other)} />);
};
void show(navigator.language.toLowerCase().startsWith('pl') ? 'PL' : 'EN');
