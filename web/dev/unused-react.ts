// React without what this page never uses (decision 0047): 21 KB (gzip) less of what every page loads first.
import type { Plugin } from "vite";
import { leaveOutCode, type NeverRuns } from "./leave-out-code.ts";

const nothing = {
  functions: [],
  answers: {},
  constants: {},
  properties: {},
  expressions: {},
  cases: {},
  assigned: [],
};

/** Taking over HTML that a server has made with React: ours makes none. */
const hydration: NeverRuns = {
  ...nothing,
  functions: [
    "accumulateOrCreateContinuousQueuedReplayableEvent",
    "attemptContinuousHydration",
    "attemptExplicitHydrationTarget",
    "attemptHydrationAtCurrentPriority",
    "attemptReplayContinuousQueuedEventInMap",
    "clearHydrationBoundary",
    "clearIfContinuousEvent",
    "commitActivityHydrationCallbacks",
    "commitSuspenseHydrationCallbacks",
    "createFiberFromDehydratedFragment",
    "hideOrUnhideDehydratedBoundary",
    "markRetryLaneIfNotHydrated",
    "mountHostRootWithoutHydrating",
    "popToNextHostParent",
    "popTreeContext",
    "prepareToHydrateHostInstance",
    "pushDehydratedActivitySuspenseHandler",
    "pushMaterializedTreeId",
    "pushTreeFork",
    "pushTreeId",
    "queueHydrationError",
    "registerSuspenseInstanceRetry",
    "replayUnblockedEvents",
    "resetHydrationState",
    "restoreSuspendedTreeContext",
    "retryDehydratedSuspenseBoundary",
    "retryIfBlockedOn",
    "retrySuspenseComponentWithoutHydrating",
    "scheduleReplayQueueIfNeeded",
    "throwOnHydrationMismatch",
    "updateDehydratedSuspenseComponent",
  ],
  answers: {
    attemptReplayContinuousQueuedEvent: "!1",
    canHydrateHydrationBoundary: "null",
    canHydrateInstance: "null",
    canHydrateTextInstance: "null",
    checkForUnmatchedText: "!1",
    getActivityInstanceFromFiber: "null",
    getNextHydratable: "null",
    getNextHydratableInstanceAfterHydrationBoundary: "null",
    getParentHydrationBoundary: "null",
    getSuspenseInstanceFromFiber: "null",
    isSuspenseInstanceFallback: "!1",
    isSuspenseInstancePending: "!1",
    popHydrationState: "!1",
    queueIfContinuousEvent: "!1",
    upgradeHydrationErrorsToRecoverable: "null",
  },
  constants: {
    hydrationErrors: "null",
    hydrationParentFiber: "null",
    isHydrating: "!1",
    nextHydratableInstance: "null",
    treeContextProvider: "null",
  },
  properties: { dehydrated: "null", isDehydrated: "!1" },
  cases: { commitDeletionEffectsOnFiber: [18], hideOrUnhideAllChildrenOnFiber: [18] },
  assigned: ["exports.hydrateRoot", "ReactDOMHydrationRoot.prototype.unstable_scheduleHydration"],
};

/** Styles, scripts and titles that React puts into the head, and an `html`, `head` or `body` that it makes. */
const documentParts: NeverRuns = {
  ...nothing,
  functions: [
    "accumulateSuspenseyCommitOnFiber",
    "acquireResource",
    "adoptPreloadPropsForScript",
    "adoptPreloadPropsForStylesheet",
    "commitHostSingletonAcquisition",
    "createHoistableInstance",
    "insertStylesheet",
    "insertStylesheetIntoRoot",
    "insertSuspendedStylesheets",
    "mountHoistable",
    "preconnect",
    "preconnectAs",
    "prefetchDNS",
    "preinitModuleScript",
    "preinitScript",
    "preinitStyle",
    "preload",
    "preloadInstanceAndSuspendIfNeeded",
    "preloadModule",
    "preloadResourceAndSuspendIfNeeded",
    "preloadStylesheet",
    "recursivelyAccumulateSuspenseyCommit",
    "releaseSingletonInstance",
    "suspendInstance",
    "suspendResource",
  ],
  answers: {
    getHoistableRoot: "null",
    getHydratableHoistableCache: "null",
    getResource: "null",
    isHostHoistableType: "!1",
    isSingletonScope: "!1",
    maySuspendCommit: "!1",
    preloadResource: "!0",
    resolveSingletonInstance: "null",
    waitForCommitToBeReady: "null",
  },
  constants: { currentHoistableRoot: "null", tagCaches: "null" },
  cases: {
    beginWork: [26, 27],
    commitDeletionEffectsOnFiber: [26, 27],
    commitLayoutEffectOnFiber: [26, 27],
    commitMutationEffectsOnFiber: [26, 27],
    completeWork: [26, 27],
    recursivelyTraverseDisappearLayoutEffects: [26, 27],
    recursivelyTraverseReappearLayoutEffects: [26, 27],
  },
};

/** `<ViewTransition>`. What it would ask of each later change of the page goes with it. */
const viewTransitions: NeverRuns = {
  ...nothing,
  functions: [
    "applyViewTransitionName",
    "applyViewTransitionToHostInstances",
    "applyViewTransitionToHostInstancesRecursive",
    "commitAfterMutationEffectsOnFiber",
    "commitAppearingPairViewTransitions",
    "commitDeletedPairViewTransitions",
    "commitEnterViewTransitions",
    "commitExitViewTransitions",
    "commitNestedViewTransitions",
    "createMeasurement",
    "createViewTransitionInstance",
    "flushAfterMutationEffects",
    "getViewTransitionClassName",
    "getViewTransitionName",
    "measureNestedViewTransitions",
    "measureViewTransitionHostInstancesRecursive",
    "queueTransitionTypes",
    "recursivelyTraverseAfterMutationEffects",
    "reportViewTransitionError",
    "restoreEnterOrExitViewTransitions",
    "restoreNestedViewTransitions",
    "restorePairedViewTransitions",
    "restoreViewTransitionName",
    "restoreViewTransitionOnHostInstances",
    "scheduleViewTransitionEvent",
    "startViewTransition",
    "trackEnterViewTransitions",
    "ViewTransitionPseudoElement",
  ],
  answers: { claimQueuedTransitionTypes: "null", pushMutationContext: "!1" },
  constants: {
    appearingViewTransitions: "null",
    inUpdateViewTransition: "!1",
    pendingTransitionTypes: "null",
    pendingViewTransition: "null",
    pendingViewTransitionEvents: "null",
    rootViewTransitionAffected: "!1",
    shouldStartViewTransition: "!1",
    viewTransitionMutationContext: "!1",
  },
  expressions: { "($ & 335544064) === $": "!1" },
  cases: {
    beginWork: [30],
    commitBeforeMutationEffects_complete: [30],
    commitDeletionEffectsOnFiber: [30],
    commitLayoutEffectOnFiber: [30],
    commitMutationEffectsOnFiber: [30],
    commitPassiveMountOnFiber: [30],
    completeWork: [30],
    recursivelyTraverseDisappearLayoutEffects: [30],
    recursivelyTraverseReappearLayoutEffects: [30],
    safelyAttachRef: [30],
  },
  assigned: ["ViewTransitionPseudoElement.prototype"],
};

/** `ref` of a fragment. */
const fragmentRefs: NeverRuns = {
  ...nothing,
  functions: [
    "commitFragmentInstanceDeletionEffects",
    "commitFragmentInstanceInsertionEffects",
    "commitNewChildToFragmentInstances",
    "FragmentInstance",
  ],
  answers: { isFragmentInstanceParent: "!1" },
  cases: { safelyAttachRef: [7] },
  assigned: ["FragmentInstance.prototype"],
};

/** Names of components in errors, which nobody here reads, `findDOMNode`, and an indicator that this version never calls. */
const diagnoses: NeverRuns = {
  ...nothing,
  functions: ["defaultOnDefaultTransitionIndicator"],
  answers: { getStackByFiberInDevAndProd: '""' },
  assigned: ["ReactDOMSharedInternals.findDOMNode"],
};

/** Forms with functions for actions, `<Activity>`, `<SuspenseList>` and `<Profiler>`. */
const others: NeverRuns = {
  ...nothing,
  functions: [
    "dispatchActionState",
    "extractEvents$1",
    "mountActionState",
    "requestFormReset$1",
    "rerenderActionState",
    "runActionStateAction",
    "startHostTransition",
    "TransitionAwareHostComponent",
    "updateActionState",
    "updateActionStateImpl",
    "updateActivityComponent",
    "updateSuspenseListComponent",
  ],
  answers: { useHostTransitionStatus: "null" },
  cases: {
    attemptEarlyBailoutIfNoScheduledUpdate: [19, 31],
    beginWork: [19, 31],
    commitLayoutEffectOnFiber: [31],
    commitMutationEffectsOnFiber: [19, 31],
    commitPassiveMountOnFiber: [12, 31],
    completeWork: [19, 31],
    recursivelyTraverseReappearLayoutEffects: [31],
    unwindInterruptedWork: [19, 31],
    unwindWork: [19, 31],
  },
};

function together(lists: readonly NeverRuns[]): NeverRuns {
  const cases: Record<string, number[]> = {};
  for (const [name, values] of lists.flatMap((list) => Object.entries(list.cases)))
    cases[name] = [...(cases[name] ?? []), ...values];
  const merged = (of: (list: NeverRuns) => Readonly<Record<string, string>>): Record<string, string> =>
    Object.assign({}, ...lists.map(of));
  return {
    functions: lists.flatMap((list) => list.functions),
    answers: merged((list) => list.answers),
    constants: merged((list) => list.constants),
    properties: merged((list) => list.properties),
    expressions: merged((list) => list.expressions),
    cases,
    assigned: lists.flatMap((list) => list.assigned),
  };
}

/** React's file for browsers without what the page never uses. Throws for a version that names it otherwise. */
export const smallerReact = (code: string): string =>
  leaveOutCode(code, together([hydration, documentParts, viewTransitions, fragmentRefs, diagnoses, others]));

export function unusedReact(): Plugin {
  return {
    name: "plumb-unused-react",
    apply: "build",
    transform: {
      filter: { id: /\/react-dom-client\.production\.js$/ },
      handler: (code) => ({ code: smallerReact(code), map: null }),
    },
  };
}
