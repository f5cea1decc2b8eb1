import type { DocumentDetails } from '@pergamin/contract';
import { Badge } from '#kit/feedback/Badge.tsx';
import { t } from '#platform/language.ts';

/** 'version 2' (F6); nothing where the organisation counts no versions. */
export function VersionLabel({ metadata }: Pick<DocumentDetails, 'metadata'>) {
  const version = String(metadata['2'] ?? '').trim();
  return version !== '' && <Badge>{t('viewer.version', { version })}</Badge>;
}
