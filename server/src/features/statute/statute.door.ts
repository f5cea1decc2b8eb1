import { createShownPages, type Rendering } from '#features/rendering/rendering.door.ts';
import type { Clock } from '#platform/clock/clock.ts';
import type { Db } from '#platform/database/schema.ts';
import type { Route } from '#platform/http/route.ts';
import type { Log } from '#platform/log/log.ts';
import type { Objects } from '#platform/objects/objects.ts';
import { type Acceptances, createAcceptances } from './acceptances.service.ts';
import { createPublishStatute, type PublishStatute } from './publish-statute.ts';
import { statuteRoutes } from './statute.routes.ts';
import { listVersions } from './statute.store.ts';
import { createStatuteTexts } from './texts.service.ts';
import { createVersionsInForce } from './versions-in-force.ts';

/** The terms of the portal: their versions, and who accepted which. */
export interface Statutes {
  readonly routes: readonly Route[];
  readonly requireAccepted: Acceptances['requireAccepted'];
  readonly publish: PublishStatute;
}

interface Parts {
  readonly db: Db;
  readonly objects: Pick<Objects, 'open'>;
  readonly rendering: Pick<Rendering, 'prefetch' | 'poll' | 'openPage' | 'readPageText'>;
  readonly clock: Clock;
  readonly log: Log;
}

export const createStatutes = (parts: Parts): Statutes => {
  const versions = createVersionsInForce(() => listVersions(parts.db), parts.clock);
  const acceptances = createAcceptances({ ...parts, versions });
  return {
    routes: statuteRoutes({ acceptances, texts: createStatuteTexts(parts), pages: createShownPages(parts.rendering) }),
    requireAccepted: (caller) => acceptances.requireAccepted(caller),
    publish: createPublishStatute({ ...parts, versions }),
  };
};
