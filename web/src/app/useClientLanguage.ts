import { setupLanguage, type LanguageCode } from '@pergamin/contract';
import { useEffect } from 'react';
import { call } from '#platform/api.ts';
import { findChosenLanguage } from '#platform/chosen-language.ts';
import { currentLanguage, speakRecorded } from '#platform/language.ts';

/**
 * A language that was chosen in this browser becomes the client's, so that mail and other browsers follow it. Where nothing was chosen the
 * client's own is spoken.
 */
export function useClientLanguage(recorded: LanguageCode | undefined): void {
  useEffect(() => {
    if (recorded === undefined) return;
    if (findChosenLanguage() === undefined) speakRecorded(recorded);
    // What cannot be kept now is kept when the workspace is opened again.
    else if (currentLanguage() !== recorded) void call(setupLanguage, { params: { language: currentLanguage() } }).catch(() => undefined);
  }, [recorded]);
}
