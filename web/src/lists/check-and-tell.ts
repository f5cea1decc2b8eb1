import { CallError } from '#platform/api.ts';
import { momentText } from '#platform/dates.ts';
import { alertError, isNotFound } from '#platform/errors.ts';
import { emit } from '#platform/events.ts';
import { t } from '#platform/language.ts';
import type { ListSource } from './list-source.ts';

/** Has the stored bytes read again and tells the verdict (G1, G5). */
export const checkAndTell = async (
  { check }: Pick<ListSource, 'check'>,
  { id, title }: { readonly id: string; readonly title: string },
): Promise<void> => {
  try {
    const { status, checkedAt } = await check(id);
    const when = checkedAt === null ? '' : t('check.checkedAt', { time: momentText(checkedAt) });
    emit('alert', {
      tone: status === 'SHA_CIF_OK' ? 'success' : 'error',
      title: t(`check.${status}`),
      detail: when === '' ? title : `${title}. ${when}`,
    });
    // A check may have found that a file is damaged, or sound again.
    const isDamaged = status !== 'SHA_CIF_OK' && status !== 'DOCUMENT_NOT_EXIST';
    emit(isDamaged ? 'documentDamaged' : 'documentUpdated', { documentId: id });
  } catch (error) {
    if (isNotFound(error)) emit('alert', { tone: 'error', title: t('check.DOCUMENT_NOT_EXIST'), detail: title });
    else if (error instanceof CallError && error.status === 403 && error.code !== 'CALL_NOT_PERMITTED') {
      emit('alert', { tone: 'error', title: t('check.forbidden'), detail: title });
      emit('documentDamaged', { documentId: id });
    } else alertError(error);
  }
};
