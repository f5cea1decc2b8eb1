import { isEntryRefused, sentencesOfCheck, unprovedEntry } from '#platform/check-words.ts';
import { momentText } from '#platform/dates.ts';
import { newsOfCheck } from '#platform/document-rows.ts';
import { alertError, isForbidden, isNotFound, sentenceOf } from '#platform/errors.ts';
import { emit } from '#platform/events.ts';
import { t } from '#platform/language.ts';
import type { ListSource } from './list-source.ts';

/** What a check of the stored bytes gave. */
export interface Verdict {
  readonly isSound: boolean;
  /** In one line, with the moment of the check where one was made. */
  readonly text: string;
}

/** Has the stored bytes read again and tells the verdict (G1, G5); undefined when there is none. */
export const checkAndTell = async (
  { check }: Pick<ListSource, 'check'>,
  { id, title }: { readonly id: string; readonly title: string },
): Promise<Verdict | undefined> => {
  try {
    const checked = await check(id);
    const { status, checkedAt } = checked;
    const isSound = status === 'SHA_CIF_OK';
    const when = checkedAt === null ? [] : [t('check.checkedAt', { time: momentText(checkedAt) })];
    const sentence = t(`check.${status}`);
    emit('alert', {
      tone: isSound ? 'success' : 'error',
      title: sentence,
      detail: detailOf(title, [...sentencesOfCheck(checked), ...when]),
    });
    // A check may have found that a file is damaged, or sound again.
    emit(newsOfCheck(checked), { documentId: id });
    const verified = t(unprovedEntry(checked) === undefined ? 'list.sound' : 'viewer.fileVerified');
    const told = isSound ? verified : sentence;
    return { isSound, text: checkedAt === null ? told : `${told}, ${momentText(checkedAt)}` };
  } catch (error) {
    if (isEntryRefused(error)) {
      const sentence = sentenceOf(error);
      emit('alert', { tone: 'error', title: sentence, detail: title });
      return { isSound: false, text: sentence };
    }
    const isRefused = isForbidden(error);
    const failure = isNotFound(error) ? t('check.DOCUMENT_NOT_EXIST') : isRefused ? t('check.forbidden') : undefined;
    if (failure === undefined) {
      alertError(error);
      return undefined;
    }
    emit('alert', { tone: 'error', title: failure, detail: title });
    if (isRefused) emit('documentDamaged', { documentId: id });
    return { isSound: false, text: failure };
  }
};

const detailOf = (title: string, sentences: readonly string[]): string =>
  sentences.length === 0 ? title : [`${title}.`, ...sentences].join(' ');
