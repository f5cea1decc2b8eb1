import type { Notices } from '#features/notices/notices.door.ts';
import type { Clock } from '#platform/clock/clock.ts';
import type { Db } from '#platform/database/schema.ts';
import type { Route } from '#platform/http/route.ts';
import type { JobHandlers } from '#platform/jobs/jobs.ts';
import type { Log } from '#platform/log/log.ts';
import { notificationRoutes } from './notifications.routes.ts';
import { createNotificationService, type Notifications, type ReadDocuments } from './notifications.service.ts';

export type { Notifications, ReadDocuments } from './notifications.service.ts';

interface Parts {
  readonly db: Db;
  /** By mail and SMS. */
  readonly notices: Notices;
  readonly clock: Clock;
  readonly log: Log;
}

/** Notifications in the portal itself (the bell). `notifications:sweep` removes what was read long ago. */
export const createNotifications = ({
  db,
  notices,
  clock,
  log,
}: Parts): Notifications & ReadDocuments & { readonly routes: readonly Route[]; readonly jobs: JobHandlers } => {
  const notifications = createNotificationService({ db, notices, clock });
  return {
    ...notifications,
    routes: notificationRoutes(notifications),
    jobs: {
      async 'notifications:sweep'() {
        const swept = await notifications.sweep();
        if (swept > 0) log.info({ notifications: swept }, 'notifications read long ago were removed');
      },
    },
  };
};
