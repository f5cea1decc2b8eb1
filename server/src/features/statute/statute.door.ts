import { createShownPages, type Rendering } from '#features/rendering/rendering.door.ts';
import type { Clock } from '#platform/clock/clock.ts';
import type { Db } from '#platform/database/schema.ts';
import type { ClientCaller } from '#platform/http/caller.ts';
import type { Log } from '#platform/log/log.ts';
import type { Objects } from '#platform/objects/objects.ts';
import { createAcceptances } from './acceptances.service.ts';
import { createPublishStatute } from './publish-statute.ts';
import { statuteRoutes } from './statute.routes.ts';
import { listVersions } from './statute.store.ts';
import { createStatuteTexts } from './texts.service.ts';
import { createVersionsInForce } from './versions-in-force.ts';
import { createWithdrawals } from './withdrawals.service.ts';

/** The terms of the portal: their versions and acceptances. */
export type Statutes = ReturnType<typeof createStatutes>;

interface Parts {
  readonly db: Db;
  readonly objects: Pick<Objects, 'open'>;
  readonly rendering: Pick<Rendering, 'prefetch' | 'poll' | 'openPage' | 'readPageText'>;
  readonly clock: Clock;
  readonly log: Log;
}

/** Versions of the terms and their acceptances (C). `requireAccepted` is the guard of protected calls. */
export const createStatutes = (parts: Parts) => {
  const versions = createVersionsInForce(() => listVersions(parts.db), parts.clock);
  const acceptances = createAcceptances({ ...parts, versions });
  return {
    routes: statuteRoutes({ acceptances, texts: createStatuteTexts(parts), pages: createShownPages(parts.rendering) }),
    requireAccepted: (caller: ClientCaller) => acceptances.requireAccepted(caller),
    publish: createPublishStatute({ ...parts, versions }),
    ...createWithdrawals({ ...parts, versions }),
  };
};
