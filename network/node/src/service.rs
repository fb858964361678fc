//! The node's parts, and how they work together: Aura makes blocks, GRANDPA makes them final.

use std::{sync::Arc, time::Duration};

use polkadot_sdk::*;
use sc_client_api::BlockBackend;
use sc_consensus_aura::{ImportQueueParams, SlotProportion, StartAuraParams};
use sc_consensus_grandpa::{
    GrandpaBlockImport, GrandpaParams, LinkHalf, SharedVoterState, VotingRulesBuilder, warp_proof,
};
use sc_network::{Litep2pNetworkBackend, NetworkBackend, config::FullNetworkConfiguration};
use sc_service::{
    BuildNetworkParams, Configuration, Error, PartialComponents, SpawnTasksParams, TaskManager,
    WarpSyncConfig,
};
use sc_transaction_pool_api::OffchainTransactionPoolFactory;
use sp_consensus_aura::{
    inherents::InherentDataProvider as SlotData,
    sr25519::{AuthorityId, AuthorityPair},
};
use sp_runtime::traits::Block as BlockT;
use sp_timestamp::InherentDataProvider as TimeData;

use crate::{
    declared::{Block, RuntimeApi},
    parts::{Backend, Chooser, Client, Pool},
    rpc,
    seal::{self, Seal},
};

type Hash = <Block as BlockT>::Hash;
type Finality = (
    GrandpaBlockImport<Backend, Block, Client, Chooser>,
    LinkHalf<Block, Client, Chooser>,
);
type Partial = PartialComponents<
    Client,
    Backend,
    Chooser,
    sc_consensus::DefaultImportQueue<Block>,
    Pool,
    Finality,
>;

/// A block has a proof of its finality on disk at least this often.
const PROOF_PERIOD: u32 = 512;
/// How often a validator repeats its votes to its neighbours.
const GOSSIP_PERIOD: Duration = Duration::from_millis(333);
/// The share of a slot in which a block is made. The rest is for its way to the others.
const PROPOSAL_SHARE: f32 = 2.0 / 3.0;

/// The parts that commands on the chain need, too.
pub fn partial(config: &Configuration) -> Result<Partial, Error> {
    let executor = sc_service::new_wasm_executor(&config.executor);
    let (client, backend, keystore_container, task_manager) =
        sc_service::new_full_parts::<Block, RuntimeApi, _>(config, None, executor, Vec::new())?;
    let client = Arc::new(client);
    let select_chain = Chooser::new(backend.clone());
    let pool = sc_transaction_pool::Builder::new(
        task_manager.spawn_essential_handle(),
        client.clone(),
        config.role.is_authority().into(),
    )
    .with_options(config.transaction_pool.clone())
    .with_prometheus(config.prometheus_registry())
    .build();
    let (finality, link) = sc_consensus_grandpa::block_import(
        client.clone(),
        PROOF_PERIOD,
        &client,
        select_chain.clone(),
        None,
    )?;
    let slots = client.clone();
    let import_queue =
        sc_consensus_aura::import_queue::<AuthorityPair, _, _, _, _, _>(ImportQueueParams {
            block_import: finality.clone(),
            justification_import: Some(Box::new(finality.clone())),
            client: client.clone(),
            create_inherent_data_providers: move |parent, ()| {
                let slots = slots.clone();
                async move {
                    let slot = sc_consensus_aura::standalone::slot_duration_at(&*slots, parent)?;
                    Ok(inherent_data(slot))
                }
            },
            spawner: &task_manager.spawn_essential_handle(),
            registry: config.prometheus_registry(),
            check_for_equivocation: Default::default(),
            telemetry: None,
            compatibility_mode: Default::default(),
        })?;
    Ok(PartialComponents {
        client,
        backend,
        task_manager,
        import_queue,
        keystore_container,
        select_chain,
        transaction_pool: Arc::from(pool),
        other: (finality, link),
    })
}

/// What a block says about itself: its slot and its time.
fn inherent_data(slot: sp_consensus_aura::SlotDuration) -> (SlotData, TimeData) {
    let time = TimeData::from_system_time();
    (
        SlotData::from_timestamp_and_slot_duration(*time, slot),
        time,
    )
}

/// Starts the node. With `seal` it makes blocks alone.
pub fn start(config: Configuration, seal: Option<Seal>) -> Result<TaskManager, Error> {
    type Network = FullNetworkConfiguration<Block, Hash, Litep2pNetworkBackend>;

    let PartialComponents {
        client,
        backend,
        mut task_manager,
        import_queue,
        keystore_container,
        select_chain,
        transaction_pool: pool,
        other: (finality, link),
    } = partial(&config)?;

    let registry = config.prometheus_registry().cloned();
    let metrics =
        <Litep2pNetworkBackend as NetworkBackend<Block, Hash>>::register_notification_metrics(
            registry.as_ref(),
        );
    let mut net_config = Network::new(&config.network, registry.clone());
    let genesis = client.block_hash(0)?.ok_or("there is no genesis block")?;
    let protocol = sc_consensus_grandpa::protocol_standard_name(&genesis, &config.chain_spec);
    let (votes_config, votes) =
        sc_consensus_grandpa::grandpa_peers_set_config::<Block, Litep2pNetworkBackend>(
            protocol.clone(),
            metrics.clone(),
            net_config.peer_store_handle(),
        );
    net_config.add_notification_protocol(votes_config);
    let proofs = warp_proof::NetworkProvider::new(
        backend.clone(),
        link.shared_authority_set().clone(),
        Vec::new(),
    );
    let (network, system_rpc_tx, tx_handler_controller, sync_service, _) =
        sc_service::build_network(BuildNetworkParams {
            config: &config,
            net_config,
            client: client.clone(),
            transaction_pool: pool.clone(),
            spawn_handle: task_manager.spawn_handle(),
            spawn_essential_handle: task_manager.spawn_essential_handle(),
            import_queue,
            block_announce_validator_builder: None,
            warp_sync_config: Some(WarpSyncConfig::WithProvider(Arc::new(proofs))),
            block_relay: None,
            metrics,
            gap_sync_body_policy: None,
        })?;

    let role = config.role;
    let name = config.network.node_name.clone();
    let force_authoring = config.force_authoring;
    let votes_wanted = !config.disable_grandpa && seal.is_none();
    let rpc_client = client.clone();
    let rpc_pool = pool.clone();
    sc_service::spawn_tasks(SpawnTasksParams {
        network: network.clone(),
        client: client.clone(),
        keystore: keystore_container.keystore(),
        task_manager: &mut task_manager,
        transaction_pool: pool.clone(),
        rpc_builder: Box::new(move |_| {
            rpc::module(rpc_client.clone(), rpc_pool.clone())
                .map_err(|error| Error::Application(error.into()))
        }),
        backend,
        system_rpc_tx,
        tx_handler_controller,
        sync_service: sync_service.clone(),
        config,
        telemetry: None,
        tracing_execute_block: None,
    })?;

    if seal.is_some() || role.is_authority() {
        let proposer = sc_basic_authorship::ProposerFactory::new(
            task_manager.spawn_handle(),
            client.clone(),
            pool.clone(),
            registry.as_ref(),
            None,
        );
        let slot = sc_consensus_aura::slot_duration::<AuthorityId, _, _>(&*client)?;
        let essential = task_manager.spawn_essential_handle();
        if let Some(seal) = seal {
            let parts = seal::Parts {
                client,
                pool: pool.clone(),
                select_chain,
                proposer,
                slot,
            };
            essential.spawn_blocking("seal", Some("block-authoring"), seal::run(seal, parts));
        } else {
            let aura = sc_consensus_aura::start_aura::<AuthorityPair, _, _, _, _, _, _, _, _, _, _>(
                StartAuraParams {
                    slot_duration: slot,
                    client,
                    select_chain,
                    block_import: finality,
                    proposer_factory: proposer,
                    create_inherent_data_providers: move |_, ()| async move { Ok(inherent_data(slot)) },
                    force_authoring,
                    // While finality stands still, play goes on.
                    backoff_authoring_blocks: None::<()>,
                    keystore: keystore_container.keystore(),
                    sync_oracle: sync_service.clone(),
                    justification_sync_link: sync_service.clone(),
                    block_proposal_slot_portion: SlotProportion::new(PROPOSAL_SHARE),
                    max_block_proposal_slot_portion: None,
                    telemetry: None,
                    compatibility_mode: Default::default(),
                },
            )?;
            essential.spawn_blocking("aura", Some("block-authoring"), aura);
        }
    }

    if votes_wanted {
        let config = sc_consensus_grandpa::Config {
            gossip_duration: GOSSIP_PERIOD,
            justification_generation_period: PROOF_PERIOD,
            name: Some(name),
            observer_enabled: false,
            // Only a validator votes. The others follow the votes.
            keystore: role.is_authority().then(|| keystore_container.keystore()),
            local_role: role,
            telemetry: None,
            protocol_name: protocol,
        };
        let voter = sc_consensus_grandpa::run_grandpa_voter(GrandpaParams {
            config,
            link,
            network,
            sync: sync_service,
            notification_service: votes,
            voting_rule: VotingRulesBuilder::default().build(),
            prometheus_registry: registry,
            shared_voter_state: SharedVoterState::empty(),
            telemetry: None,
            offchain_tx_pool_factory: OffchainTransactionPoolFactory::new(pool),
        })?;
        task_manager
            .spawn_essential_handle()
            .spawn_blocking("grandpa-voter", None, voter);
    }
    Ok(task_manager)
}

/// Takes GRANDPA's notes back when blocks are taken back.
pub fn revert(client: Arc<Client>, _: Arc<Backend>, blocks: u32) -> sc_cli::Result<()> {
    Ok(sc_consensus_grandpa::revert(client, blocks)?)
}
