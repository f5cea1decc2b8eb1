import { languageCode, listLanguages } from '@pergamin/contract';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Button } from '#kit/buttons/Button.tsx';
import { Dialog } from '#kit/overlays/Dialog.tsx';
import { Select } from '#kit/forms/Select.tsx';
import { ProgressLabel } from '#kit/feedback/Spinner.tsx';
import { lastingCallQuery } from '#platform/call.queries.ts';
import { sentenceOf } from '#platform/errors.ts';
import { changeLanguage, currentLanguage, t } from '#platform/language.ts';
import { mayLeave } from '#platform/unsent-work.ts';

/** L1: the languages of the portal; a change loads the page anew, the same language does nothing. */
export function LanguageDialog({ onClose }: { readonly onClose: () => void }) {
  const [chosen, setChosen] = useState<string>(currentLanguage());
  const [changing, setChanging] = useState(false);
  const languages = useQuery(lastingCallQuery(listLanguages, {}));
  const change = async (): Promise<void> => {
    const language = languageCode.parse(chosen);
    if (language === currentLanguage()) return onClose();
    setChanging(true);
    if (await mayLeave()) changeLanguage(language);
    else setChanging(false);
  };
  return (
    <Dialog
      title={t('language.title')}
      width={400}
      onClose={onClose}
      foot={
        <>
          <Button onClick={onClose}>{t('language.cancel')}</Button>
          <Button kind="primary" busy={changing} disabled={languages.data === undefined} onClick={() => void change()}>
            {t('language.change')}
          </Button>
        </>
      }
    >
      {languages.isPending && <ProgressLabel text={t('list.loading')} />}
      {languages.error !== null && <p role="alert">{sentenceOf(languages.error)}</p>}
      {languages.data !== undefined && (
        <Select
          label={t('language.label')}
          options={languages.data.map(({ code, name }) => ({ id: code, label: name, lang: code.toLowerCase() }))}
          value={chosen}
          onChange={setChosen}
        />
      )}
    </Dialog>
  );
}
